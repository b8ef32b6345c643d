"""Kieker's decorators around the monitored method, in the way that KIEKER_MODE says."""
import os


def configuration():
    """A file in the scratch folder, as Kieker reads it: dummy, text or tcp."""
    mode = os.environ["KIEKER_MODE"]
    path = os.path.join(os.environ["TMPDIR"], "monitoring.ini")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"[Main]\nmode = {'dummy' if mode == 'deactivated' else mode}\n"
                   f"[FileWriter]\nfile_path = {os.environ['TMPDIR']}/records.dat\n"
                   "[General]\nmultiple_Connections = false\n"
                   f"[Tcp]\nhost = 127.0.0.1\nport = {os.environ.get('KIEKER_PORT', '0')}\nconnection_timeout = 1\n")
    return path


def instrument(application):
    # Its file writer keeps a map of classes in the working directory.
    os.chdir(os.environ["TMPDIR"])
    from monitoring.controller import MonitoringController
    controller = MonitoringController(configuration())
    from tools.aspect import decorate_members
    decorate_members(application, empty=os.environ["KIEKER_MODE"] == "deactivated")

    def finish():
        writer = controller.write_ctrl.monitoring_writer
        if hasattr(writer, "socket"):
            writer.socket.close()
    return finish
