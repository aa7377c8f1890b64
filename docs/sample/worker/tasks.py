"""What workers can do, by the kind of a job."""

import json
import smtplib
from email.message import EmailMessage

TASKS = {}


def task(kind):
    """Registers a function as the task for a kind of job."""

    def register(function):
        TASKS[kind] = function
        return function

    return register


@task("mail")
def send_mail(payload):
    fields = json.loads(payload)
    message = EmailMessage()
    message["To"] = fields["to"]
    message["Subject"] = fields["subject"]
    message.set_content(fields["text"])
    with smtplib.SMTP("localhost") as smtp:
        smtp.send_message(message)


@task("thumbnail")
def make_thumbnail(payload):
    """Shrinks an image so that its longer side has 256 pixels."""
    from PIL import Image

    fields = json.loads(payload)
    with Image.open(fields["path"]) as image:
        image.thumbnail((256, 256))
        image.save(fields["path"] + ".thumb.png")
