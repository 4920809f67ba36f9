// Sends each message for NOTICE_URL as an email. `npm install --save-prod nodemailer@10.6.0`, then
// `SMTP_URL=… MAIL_TO=… PORT=8025 node receiver.mjs`, behind a proxy with TLS: in production NOTICE_URL is https.

import console from 'node:console';
import { createServer } from 'node:http';
import process from 'node:process';
import { json } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';

const { SMTP_URL, MAIL_TO, PORT } = process.env;
const mailServer = createTransport(SMTP_URL, { from: 'Payments <payments@shop.example>', to: MAIL_TO });

const server = createServer(async (request, response) => {
  const message = await json(request).catch(() => null);
  if (typeof message?.text !== 'string') {
    console.error('400: the body is no message of NOTICE_URL');
    response.writeHead(400).end();
    return;
  }
  try {
    const { text } = message;
    const [subject] = text.split('\n');
    await mailServer.sendMail({ subject, text });
    response.end();
  } catch (error) {
    console.error(`500: ${error.message}`);
    // The message comes again a minute later.
    response.writeHead(500).end();
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${server.address().port}`));
