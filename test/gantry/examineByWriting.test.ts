import { describe, expect, test } from 'vitest';
import type { Question, Seen } from '../../src/capabilities/survey.ts';
import { makeClient } from '../../src/client/client.ts';
import { Asker } from '../../src/gantry/asker.ts';
import { examineByWriting } from '../../src/gantry/examineByWriting.ts';
import { usePlatform } from '../e2e/harness/usePlatform.ts';

/** What `gantry doctor --write` sends to platforms that answer in another way. */
const platform = usePlatform();

type Answer = (question: Question, send: () => Promise<Seen>) => Seen | Promise<Seen>;

/** Sends what `answer` does not answer to the embedded platform, and lists what was asked. */
class AnsweredAsker extends Asker {
  readonly asked: string[] = [];
  readonly #answer: Answer;

  constructor(answer: Answer) {
    super(makeClient({ endpoint: platform.url, token: 'e2e-token', org: 'local' }), 150);
    this.#answer = answer;
  }

  override async send(question: Question): Promise<Seen> {
    this.asked.push(`${question.method} ${question.path.replace('/org/local/gvc', '')}`);
    return await this.#answer(question, () => super.send(question));
  }
}

let count = 0;

interface Run {
  readonly name: string;
  readonly asker: AnsweredAsker;
  readonly isRemoved: () => Promise<boolean>;
}

function run(answerOf: (name: string) => Answer): Run {
  count += 1;
  const name = `gantry-doctor-${count}`;
  const asker = new AnsweredAsker(answerOf(name));
  return { name, asker, isRemoved: () => examineByWriting(asker, 'local', name, new AbortController().signal) };
}

const statusOf = async (name: string, ...below: readonly string[]): Promise<number> =>
  (await platform.call('GET', ['/org/local/gvc', name, ...below].join('/'))).status;
const deletions = ({ asker }: Run): readonly string[] => asker.asked.filter((each) => each.startsWith('DELETE'));
const isCreation = ({ method, path }: Question): boolean => method === 'POST' && path.endsWith('/gvc');
const isRead = ({ method, path }: Question, name: string): boolean => method === 'GET' && path.endsWith(`/gvc/${name}`);
const failed = (status: number): Seen => ({ status, body: { status, message: 'no' } });

describe('a GVC of somebody else', () => {
  test.each([
    { it: 'the name is taken', status: 409, tags: {} },
    { it: 'the creation fails, and a record without the tag of the run appears', status: 500, tags: {} },
    { it: 'the tag is that of another run', status: 500, tags: { 'gantry/doctor': 'gantry-doctor-0' } },
  ])('stays where $it', async ({ status, tags }) => {
    const doctor = run((name) => async (question, send) => {
      if (!isCreation(question)) return send();
      await platform.call('POST', '/org/local/gvc', { name, tags });
      return failed(status);
    });
    expect(await doctor.isRemoved()).toBe(true);
    expect(deletions(doctor)).toEqual([]);
    expect(await statusOf(doctor.name)).toBe(200);
  });
});

describe('the own GVC is deleted', () => {
  test.each([
    { it: 'the answer to its creation is lost', answer: { status: 0, body: undefined } },
    { it: 'its creation is answered with 502', answer: failed(502) },
  ])('where $it', async ({ answer }) => {
    const doctor = run(() => async (question, send) => {
      if (!isCreation(question)) return send();
      await send();
      return answer;
    });
    expect(await doctor.isRemoved()).toBe(true);
    expect(deletions(doctor)).toEqual([`DELETE /${doctor.name}`]);
    expect(await statusOf(doctor.name)).toBe(404);
  });

  test('where a request fails in a way that ends the examination, with that failure', async () => {
    const doctor = run(() => (question, send) => {
      if (question.method === 'PATCH') throw new Error('out of memory');
      return send();
    });
    await expect(doctor.isRemoved()).rejects.toThrow('out of memory');
    expect(await statusOf(doctor.name)).toBe(404);
  });

  test('where the platform never shows its writes: no step after the creation is tried', async () => {
    const doctor = run((name) => (question, send) => (isRead(question, name) ? failed(403) : send()));
    expect(await doctor.isRemoved()).toBe(true);
    expect(doctor.asker.asked.filter((each) => each.startsWith('PATCH'))).toEqual([]);
    expect(await statusOf(doctor.name)).toBe(404);
  });

  test('with its content first, where the platform refuses to delete a GVC that has some', async () => {
    const doctor = run((name) => async (question, send) => {
      const isWhole = question.method === 'DELETE' && question.path.endsWith(`/gvc/${name}`);
      return isWhole && (await statusOf(name, 'workload/doctor')) === 200 ? failed(409) : send();
    });
    expect(await doctor.isRemoved()).toBe(true);
    const gvc = `DELETE /${doctor.name}`;
    expect(deletions(doctor).slice(-4)).toEqual([gvc, `${gvc}/workload/doctor`, `${gvc}/workload/dry`, gvc]);
    expect(await statusOf(doctor.name)).toBe(404);
  });
});

describe('a platform that works in the background', () => {
  test('may refuse a workload at first: it is tried until it is there', async () => {
    let refused = 0;
    const doctor = run(() => (question, send) => {
      const isFirst = question.method === 'POST' && question.path.endsWith('/workload') && refused < 2;
      if (!isFirst) return send();
      refused += 1;
      return failed(refused === 1 ? 409 : 404);
    });
    expect(await doctor.isRemoved()).toBe(true);
    const survey = doctor.asker.survey();
    expect(survey.seen('workload:first-answer')?.status).toBe(409);
    expect(survey.seen('workload')?.status).toBe(201);
    expect(survey.body('workload:after')).toMatchObject({ name: 'doctor' });
  });

  test('may show a write late: the first answer and the last one are kept', async () => {
    let reads = 0;
    const doctor = run((name) => (question, send) => {
      if (!isRead(question, name)) return send();
      reads += 1;
      return reads === 1 ? failed(404) : send();
    });
    expect(await doctor.isRemoved()).toBe(true);
    const survey = doctor.asker.survey();
    expect([survey.seen('create:first')?.status, survey.seen('create:after')?.status]).toEqual([404, 200]);
    expect(survey.body('list:after')).toMatchObject({ spec: { env: [{ name: 'B', value: '2' }] } });
  });
});

test('a platform that refuses long tags is asked for a GVC without them, of the same name', async () => {
  const doctor = run(
    () => (question, send) =>
      isCreation(question) && JSON.stringify(question.body).includes('"gantry/doctor-long"') ? failed(400) : send(),
  );
  expect(await doctor.isRemoved()).toBe(true);
  const survey = doctor.asker.survey();
  expect(survey.seen('create:refused')?.status).toBe(400);
  expect(survey.body('create')).toMatchObject({
    name: doctor.name,
    spec: { env: [{ name: 'A' }, { name: 'B' }, { name: 'C' }] },
  });
  expect(await statusOf(doctor.name)).toBe(404);
});
