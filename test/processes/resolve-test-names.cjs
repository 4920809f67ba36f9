// Loaded into a process by NODE_OPTIONS: names that end in .test (RFC 6761) are this machine. Production refuses addresses of
// this machine where they are written out, and a test has no other.

const dns = require('node:dns');

const { lookup } = dns;
dns.lookup = (hostname, ...rest) => lookup(/\.test$/.test(hostname) ? '127.0.0.1' : hostname, ...rest);
