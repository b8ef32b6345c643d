"""config/projects/try as a module: what it makes of a project file and of a night."""
import types

import moowatch

PATH = moowatch.SOURCE / "config" / "projects" / "try"
TRY = types.ModuleType("projects_try_script")
TRY.__file__ = str(PATH)
exec(compile(PATH.read_text(encoding="utf-8"), str(PATH), "exec"), TRY.__dict__)  # an import would leave bytecode beside it
