"""git daemon over a folder of repositories, ended with the service."""
import socket
import subprocess


def start(service, folder):
    """Its address."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    service.processes.append(subprocess.Popen(
        ["git", "daemon", f"--base-path={folder}", "--export-all", "--listen=127.0.0.1", f"--port={port}", "--reuseaddr"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True))

    def up():
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return True
        except OSError:
            return False
    service.wait(up, "git daemon", 20)
    return f"git://127.0.0.1:{port}"
