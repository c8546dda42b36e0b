/** Answers questions in a separate thread, which can be terminated at any time. */
import { parentPort } from 'node:worker_threads';
import { openChoices } from './chooseInSandbox.ts';
import { type Answered, type Asked, ready } from './expression.ts';

const choose = await openChoices();
parentPort?.on('message', ({ id, ...question }: Asked) => {
  const answered: Answered = { id, chosen: choose(question) };
  parentPort?.postMessage(answered);
});
parentPort?.postMessage(ready);
