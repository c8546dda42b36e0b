/**
 * The process in which policies run: reads its request from standard input, has a thread of its own run them, and
 * watches time and memory meanwhile. It ends itself, also where nobody waits for it any more.
 */

import { readFileSync, writeSync } from 'node:fs';
import module from 'node:module';
import threads, { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { askPolicies } from './askPolicies.ts';
import { lineDescriptor, type PolicyLine, type PolicyRequest } from './request.ts';
import { PolicyWatch } from './watch.ts';

const lookMs = 25;

if (isMainThread) watch();
else {
  allowNoThreads();
  await askPolicies(workerData.request, workerData.inputs, (line) => parentPort?.postMessage(line));
}

function watch(): void {
  const text = readFileSync(0, 'utf8');
  if (text === '') process.exit(0); // it is not needed after all
  const [head = '', ...inputs] = text.split('\n');
  const request: unknown = JSON.parse(head);
  if (!isRequest(request)) throw new Error('the request of the policies is none');
  const { endMark } = request;
  const watching = new PolicyWatch(request, process.memoryUsage.rss());
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { request: { ...request, endMark: '' }, inputs },
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: request.memoryMb, maxYoungGenerationSizeMb: 64, stackSizeMb: 4 },
  });
  worker.stdout.pipe(process.stdout);
  worker.stderr.pipe(process.stderr);
  worker.on('message', (line: PolicyLine) => {
    watching.take(line, performance.now());
    if ('end' in line)
      setImmediate(() => end(undefined, endMark)); // what it wrote before comes first
    else if ('stopped' in line) end({ failed: line.stopped }, endMark);
    else if ('tooMuch' in line) end(watching.wroteTooMuch(), endMark);
    else say(line);
  });
  worker.on('error', (error) => end(watching.threw(error), endMark));
  worker.on('exit', () => end(watching.ended(), endMark));
  setInterval(() => {
    const failure = watching.look(performance.now(), process.memoryUsage.rss());
    if (failure !== undefined) end(failure, endMark);
  }, lookMs);
}

/** Says the last word. A thread may be where nothing stops it but the end of its process. */
function end(last: PolicyLine | undefined, endMark: string): void {
  if (last !== undefined) say(last);
  say({ end: endMark });
  process.kill(process.pid, 'SIGKILL');
}

function say(line: PolicyLine): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let written = 0; written < bytes.length; ) written += writeSync(lineDescriptor, bytes, written);
}

/** It comes from `runPolicies.ts`. */
function isRequest(value: unknown): value is PolicyRequest {
  return typeof value === 'object' && value !== null && 'files' in value && 'endMark' in value;
}

/**
 * Takes from the code of this thread what starts another one: that could be started with permissions of its own
 * (`execArgv`), and read every file. Modules that are imported from here on have what is left.
 */
function allowNoThreads(): void {
  const denied = (what: string) =>
    function refuse(): never {
      throw Object.assign(new Error(`Access to this API has been restricted: ${what}`), { code: 'ERR_ACCESS_DENIED' });
    };
  Reflect.set(threads, 'Worker', denied('Worker'));
  Reflect.set(module, 'register', denied('register'));
  module.syncBuiltinESMExports();
}
