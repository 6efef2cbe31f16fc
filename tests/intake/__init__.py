"""From replies to facts: examined, rejected, settled by the referee, solved here."""
