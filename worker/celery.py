"""The app that ``celery -A worker`` finds, made from the GRIDMILL_* variables."""

from celery.signals import worker_process_init

from gridmill.badge import Badge
from gridmill.broker import make_app
from gridmill.settings import Settings
from worker.identity import host
from worker.memory import bound
from worker.tasks import register

settings = Settings.load()
app = make_app(settings, str(Badge.own(host())))
register(app, settings)
worker_process_init.connect(lambda **_: bound(settings.child_memory), weak=False)
