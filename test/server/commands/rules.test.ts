import { expect, test } from 'vitest';
import {
  At,
  choice,
  document,
  integer,
  list,
  name,
  object,
  optional,
  optionals,
  text,
  tryRead,
} from '../../../src/base/form/read.ts';
import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { bodyProblems } from '../../../src/schema/record/problem.ts';
import {
  decideCancellation,
  isTerminal,
  type Stage,
  stages,
} from '../../../src/server/commands/decisions/lifecycle.ts';
import { readCommand } from '../../../src/server/commands/routes.ts';

interface Wish {
  readonly stage: Stage;
  readonly cancelled: string;
  readonly requested: string;
  readonly requestedOfUnstoppable: string;
}

const wishes: readonly Wish[] = [
  { stage: 'pending', cancelled: 'cancel', requested: 'cancel', requestedOfUnstoppable: 'cancel' },
  { stage: 'running', cancelled: 'refuse', requested: 'request', requestedOfUnstoppable: 'refuse' },
  { stage: 'cancellation-requested', cancelled: 'refuse', requested: 'nothing', requestedOfUnstoppable: 'nothing' },
  { stage: 'completed', cancelled: 'refuse', requested: 'refuse', requestedOfUnstoppable: 'refuse' },
  { stage: 'failed', cancelled: 'refuse', requested: 'refuse', requestedOfUnstoppable: 'refuse' },
  { stage: 'cancelled', cancelled: 'refuse', requested: 'refuse', requestedOfUnstoppable: 'refuse' },
];

test.each(wishes)(
  'each form of cancellation has its effect on a command that is $stage (platform/commands.stages)',
  (wish) => {
    expect(decideCancellation(wish.stage, 'cancelled', true).action).toBe(wish.cancelled);
    expect(decideCancellation(wish.stage, 'cancellation-requested', true).action).toBe(wish.requested);
    expect(decideCancellation(wish.stage, 'cancellation-requested', false).action).toBe(wish.requestedOfUnstoppable);
  },
);

test('completed, failed and cancelled are terminal (platform/commands)', () => {
  expect(stages.filter(isTerminal)).toEqual(['completed', 'failed', 'cancelled']);
});

const form = object({
  location: name,
  ...optionals({
    index: integer({ least: 0, most: 9 }),
    mode: choice('a', 'b'),
    list: list(object({ name: optional(text) }), 'a list', { most: 2 }),
    open: document,
  }),
});

test.each<[string, JsonValue, readonly string[]]>([
  ['a valid one', { location: 'l', index: 3, mode: 'a', open: { x: 1 } }, []],
  ['a missing field', {}, ['location: is missing']],
  ['an unknown field', { location: 'l', x: 1 }, ['x: "x" is not allowed']],
  ['an unknown field inside a list', { location: 'l', list: [{ nane: '' }] }, ['list.0.nane: "nane" is not allowed']],
  ['another type', { location: 1 }, ['location: must be text']],
  ['an empty text', { location: '' }, ['location: must not be empty']],
  ['half a number', { location: 'l', index: 1.5 }, ['index: must be a whole number']],
  ['a number out of its bounds', { location: 'l', index: 10 }, ['index: must be at most 9']],
  ['another word', { location: 'l', mode: 'c' }, ['mode: must be a or b']],
  ['too many items', { location: 'l', list: [{}, {}, {}] }, ['list: must have at most 2 items']],
  ['names of Object.prototype', { location: 'l', constructor: 1 }, ['constructor: "constructor" is not allowed']],
  ['not an object', [], [': must be an object']],
  [
    'several problems',
    { index: -1, x: 1 },
    ['x: "x" is not allowed', 'location: is missing', 'index: must be at least 0'],
  ],
])('every problem of a body is reported: %s (platform/wire.writes)', (_, value, expected) => {
  const read = tryRead(() => form.read(value, new At()));
  const problems = 'problems' in read ? bodyProblems(read.problems) : [];
  expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual(expected);
});

const types = [
  { owner: 'workload', type: 'stop', spec: form },
  { owner: 'volumeset', type: 'expand', spec: document },
  { owner: 'volumeset', type: 'shrink', spec: document },
];

function told(body: JsonObject, owner = 'workload'): unknown {
  const read = readCommand(body, owner, types);
  return read.ok
    ? { type: read.type.type, spec: read.spec, tags: read.tags }
    : read.problems.map(({ message }) => message);
}

test('a command is read from type, spec and tags; members that only the platform sets are ignored (platform/commands)', () => {
  const sent = {
    type: 'stop',
    spec: { location: 'l', index: null },
    tags: { a: 'b' },
    id: 'x',
    version: 7,
    status: {},
  };
  expect(told(sent)).toEqual({ type: 'stop', spec: { location: 'l' }, tags: { a: 'b' } });
});

test.each<[JsonObject, string, readonly string[]]>([
  [{}, 'workload', ['is missing']],
  [{ type: 'nope' }, 'volumeset', ['"nope" is not a type of command; a volumeset takes expand, shrink']],
  [{ type: 'stop' }, 'volumeset', ['stop is a command of a workload; a volumeset takes expand, shrink']],
  [{ type: 'stop' }, 'workload', ['is missing']],
  [{ type: 'stop', spec: { location: 'l' }, extra: 1 }, 'workload', ['"extra" is not allowed']],
])('the command %j on a %s is refused (platform/commands)', (body, owner, expected) => {
  expect(told(body, owner)).toEqual(expected);
});
