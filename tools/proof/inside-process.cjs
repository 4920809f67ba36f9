// Loaded into a program before its own code by captured-process.ts, for actions that no request can trigger.

const process = require('node:process');
const { setImmediate } = require('node:timers');

process.on('message', ({ ask, text }) => {
  if (ask === 'throw') setImmediate(crash, text);
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

// Errors like those of axios, body-parser and Prisma, with request data in the message, in the cause and in other fields.
function errorWith(text) {
  const error = new Error(`invalid value ${text}`, { cause: new Error(text) });
  return Object.assign(error, { config: { data: text, headers: { authorization: text } }, body: text });
}
