// Loaded into a program ahead of its own code by captured-process.ts: does from the inside what no request can do.

const process = require('node:process');
const { setImmediate } = require('node:timers');

process.on('message', ({ ask, text }) => {
  if (ask === 'throw') setImmediate(() => void crash(text));
  if (ask === 'reject') void Promise.reject(errorWith(text));
  if (ask === 'print') {
    process.stdout.write(`${text}\n`);
    process.stderr.write(`${text}\n`, () => process.send({ type: 'printed' }));
  }
  if (ask === 'measure') {
    globalThis.gc();
    globalThis.gc();
    process.send({ type: 'measured', heapBytes: process.memoryUsage().heapUsed });
  }
});

function crash(text) {
  throw errorWith(text);
}

// As axios, body-parser and Prisma make them: what was sent stands in the words, in a cause and in further fields.
function errorWith(text) {
  const error = new Error(`invalid value ${text}`, { cause: new Error(text) });
  return Object.assign(error, { config: { data: text, headers: { authorization: text } }, body: text });
}
