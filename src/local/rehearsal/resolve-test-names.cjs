// Loaded into a process by NODE_OPTIONS: resolves names that end in .test (RFC 6761) to this machine. The rehearsal and tests need it
// because production refuses literal addresses of this machine.

const dns = require('node:dns');

const { lookup } = dns;
dns.lookup = (hostname, ...rest) => lookup(/\.test$/.test(hostname) ? '127.0.0.1' : hostname, ...rest);
