// `npm start` loads this file into both programs before their own code. If the parent process is killed (kill -9), the IPC
// channel closes and the program receives SIGINT.

const process = require('node:process');

process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));
