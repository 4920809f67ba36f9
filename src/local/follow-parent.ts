// Loaded into both programs ahead of their own code by `npm start`: when its process is gone without a word (kill -9),
// they are asked to stop as anybody else would ask them. The programs themselves need not know who started them.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
