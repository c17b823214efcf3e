# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
# Replaces PlatformIO's platform "native", which cannot be fetched as a package: gcc, and the goal that runs the program.
from SCons.Script import AlwaysBuild, Default, DefaultEnvironment

env = DefaultEnvironment()
for tool in ("gcc", "g++", "gnulink", "ar"):
    env.Tool(tool)
program = env.BuildProgram()
Default(program)
AlwaysBuild(env.Alias("exec", program, env.VerboseAction("$SOURCE $PROGRAM_ARGS", "Executing $SOURCE")))
