import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../../src/project/session/runProgram.ts';

const late = `"${process.execPath}" -e "setTimeout(() => console.log('late'), 30_000)"`;

test.each([
  { it: 'in the group of Gantry', left: late, inGroup: false },
  { it: 'in a group of its own', left: late, inGroup: true },
  { it: 'in a group that its child has left', left: `setsid ${late}`, inGroup: true },
])('a program $it is not waited for after its time, even if a child process keeps its output open', async (given) => {
  const { left, inGroup } = given;
  const run = await runProgram('sh', ['-c', `${left} & echo $!`], { mostMs: 1_000, inGroup });
  const [pid = '', ...more] = run.output.toString().trim().split('\n');
  onTestFinished(() => {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It was killed with its group.
    }
  });
  expect(run).toMatchObject({ code: 0, stopped: 'time' });
  expect(more).toEqual([]);
});
