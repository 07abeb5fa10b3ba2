"""Says how Werkzeug read a form: POST to a path, then GET the same path. It keeps no order across fields and files."""

import hashlib
import json
import sys

from werkzeug.serving import run_simple
from werkzeug.wrappers import Request, Response

read = {}


@Request.application
def application(request):
    if request.method == "POST":
        files = [
            {"field": field, "name": file.filename, "type": file.content_type, "sha256": hashlib.sha256(file.read()).hexdigest()}
            for field, file in request.files.items(multi=True)
        ]
        read[request.path] = {"fields": list(request.form.items(multi=True)), "files": files}
    return Response(json.dumps(read.get(request.path), ensure_ascii=False), mimetype="application/json")


run_simple("127.0.0.1", int(sys.argv[1]), application)
