// `npm run secrets`: prints the settings of production with secrets made anew. It reads no settings and writes no file.

import { runCommand, type Command } from './command';
import { blockText, settingsBlock } from './settings-block';

const HELP = `npm run --silent secrets [-- --json]

Prints a block of settings for production: every required setting, with new
secrets, and blank lines for the values that you have. Nothing is stored; each
run makes other secrets. A deployment's env file is the place for the output;
NAME_FILE instead of NAME is the path of a file with the value:

  (umask 077; npm run --silent secrets > live.env)

  --json  the settings as JSON, by name
  --help  this text

Exit code: 0; 2 wrong arguments.
`;

const command: Command = {
  help: HELP,
  options: {},
  takesNoArguments: true,
  run() {
    const lines = settingsBlock();
    const inUse = lines.filter(({ isOff }) => !isOff);
    return Promise.resolve({
      exitCode: 0,
      text: blockText(lines),
      json: Object.fromEntries(inUse.map(({ name, value }) => [name, value])),
    });
  },
};

if (require.main === module) void runCommand(command);
