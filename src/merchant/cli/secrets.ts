// `npm run secrets`: prints the settings of production with secrets made anew. It reads no settings and writes no file.

import { runCommand, type Command, type CommandResult } from './command';
import { blockText, settingsBlock } from './settings-block';

const command: Command = {
  name: 'npm run --silent secrets --',
  description: `Prints a block of settings for production: every required setting, with new
secrets, and blank lines for the values that you have. Nothing is stored; each
run makes other secrets. A deployment's env file is the place for the output;
NAME_FILE instead of NAME is the path of a file with the value:

  (umask 077; npm run --silent secrets > live.env)`,
  exitCodes: '0; 2 wrong arguments.',
  define: (program, run) => program.action(() => run(() => Promise.resolve(printSecrets()))),
};

function printSecrets(): CommandResult {
  const lines = settingsBlock();
  const inUse = lines.filter(({ isOff }) => !isOff);
  return {
    exitCode: 0,
    text: blockText(lines),
    json: Object.fromEntries(inUse.map(({ name, value }) => [name, value])),
  };
}

if (require.main === module) void runCommand(command);
