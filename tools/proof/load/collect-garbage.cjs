// Runs the garbage collector every five seconds, in a merchant started with --expose-gc.

const { setInterval } = require('node:timers');

setInterval(globalThis.gc, 5_000).unref();
