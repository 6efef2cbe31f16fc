"""The app that ``celery -A worker`` finds, made from the GRIDMILL_* variables."""

from gridmill.broker import make_app
from gridmill.settings import Settings
from worker.tasks import register

settings = Settings.load()
app = make_app(settings)
register(app, settings)
