// `npm start` loads this file into both programs ahead of their own code. If the starting process is killed (kill -9), the
// IPC channel closes and the program receives SIGINT.

const process = require('node:process');

process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));
