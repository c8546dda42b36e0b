// In place of the command line in a job: has the tests run it (gantryHere.ts). JavaScript, as removing types takes longer than the rest.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const [address, ...args] = process.argv.slice(2);
const socket = connect({ path: address, allowHalfOpen: true });
socket.end(JSON.stringify({ args, cwd: process.cwd(), env: process.env }));
const { code, stdout, stderr } = JSON.parse(await text(socket));
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = code;
