// Frees what can be freed, every five seconds. It runs in the merchant, which is started with --expose-gc.

const { setInterval } = require('node:timers');

setInterval(globalThis.gc, 5_000).unref();
