import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '../../../../src/server/http/dispatch/route.ts';
import { routes } from '../../../../src/server/routeTable.ts';
import { isEverySample } from '../../../harness/sampled.ts';
import { alsoForAddressee, expectedFor, gives, permissionsOf } from './expectations.ts';
import { Ground, nobody, superuser, tokenOf } from './ground.ts';
import { type Scenario, scenariosOf } from './scenarios.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await Ground.open();
});
afterAll(() => ground.close());

test('every route has an expected permission', () => {
  expect(routes.filter(({ id, kind }) => expectedFor(id, kind) === undefined).map(({ id }) => id)).toEqual([]);
});

test.each(routes.map((route) => [route.id, route] as const))(
  '%s has the expected permission in the table of routes',
  (id, route) => {
    const expected = expectedFor(id, route.kind);
    const stated = alsoForAddressee.has(id) ? 'token' : expected === 'COMMAND' ? 'exec' : expected;
    expect(route.permission).toBe(stated);
  },
);

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** The body is text, because exporters do not answer in JSON. */
async function answer(scenario: Scenario, token: string | undefined, through: boolean): Promise<Answered> {
  const { path, body } = await scenario.request(through);
  const response = await fetch(ground.platform.url + path, {
    method: scenario.route.method,
    headers: token === undefined ? {} : { authorization: token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

function checkThrough(scenario: Scenario, { status, text }: Answered): void {
  expect(scenario.isThrough(status), `${status} ${text.slice(0, 300)}`).toBe(true);
  if (scenario.leavesOut !== undefined) expect(text).toContain(scenario.leavesOut);
}

function checkRefused(scenario: Scenario, { status, text }: Answered): void {
  if (scenario.leavesOut !== undefined) {
    expect(status, text.slice(0, 300)).toBe(200);
    expect(text).not.toContain(scenario.leavesOut);
    return;
  }
  expect(status, text.slice(0, 300)).toBe(403);
  expect(text).toContain(`[${scenario.permission}]`);
}

const decided = routes.filter(({ id, kind }) => !['admin', 'none', 'token', undefined].includes(expectedFor(id, kind)));

/** In the sample, one permission for each route; the next route gets the next permission. */
function each(permissions: readonly string[], route: Route): readonly string[] {
  const turn = decided.indexOf(route) % permissions.length;
  return isEverySample ? permissions : permissions.slice(turn, turn + 1);
}

describe.each(decided.map((route) => [route.id, route] as const))('%s', (_, route: Route) => {
  test('answers 401 without a token', async () => {
    for (const scenario of scenariosOf(route, ground) ?? []) {
      expect((await answer(scenario, undefined, false)).status).toBe(401);
    }
  });

  test('refuses a caller without permissions, and one who manages another kind', async () => {
    for (const scenario of scenariosOf(route, ground) ?? []) {
      checkRefused(scenario, await answer(scenario, nobody, false));
      const other = scenario.kind === 'gvc' ? 'secret' : 'gvc';
      checkRefused(scenario, await answer(scenario, tokenOf(other, 'manage'), false));
    }
  });

  test('refuses a caller whose permission does not imply the needed one', async () => {
    for (const scenario of scenariosOf(route, ground) ?? []) {
      const little = permissionsOf(scenario.kind).filter((held) => !gives(scenario.kind, held, scenario.permission));
      for (const held of each(little, route)) {
        checkRefused(scenario, await answer(scenario, tokenOf(scenario.kind, held), false));
      }
    }
  });

  test('accepts a caller whose permission is or implies the needed one', async () => {
    for (const scenario of scenariosOf(route, ground) ?? []) {
      const enough = permissionsOf(scenario.kind).filter((held) => gives(scenario.kind, held, scenario.permission));
      expect(enough).not.toEqual([]);
      for (const held of each(enough, route)) {
        checkThrough(scenario, await answer(scenario, tokenOf(scenario.kind, held), true));
      }
    }
  });
});

test('no refused request has changed a record', async () => {
  const paths = ['gvc/fixture-gvc', 'secret/fixture-secret', 'policy/fixture-policy', 'domain/fixture-domain.com'];
  for (const path of [...paths, 'gvc/fixture-gvc/workload/fixture-workload', 'group/fixture-group']) {
    expect((await ground.platform.admin('GET', path)).body).toMatchObject({ version: 1 });
  }
});

describe.each(
  routes.filter(({ id, kind }) => expectedFor(id, kind) === 'token').map((route) => [route.id, route] as const),
)('%s needs any token', (_, route) => {
  test('and answers 401 without one, 200 with one', async () => {
    for (const scenario of scenariosOf(route, ground) ?? []) {
      expect((await answer(scenario, undefined, false)).status).toBe(401);
      expect((await answer(scenario, nobody, false)).status).toBe(200);
    }
  });
});

describe.each(
  routes.filter(({ id, kind }) => expectedFor(id, kind) === 'none').map((route) => [route.id, route] as const),
)('%s needs no token', (_, route) => {
  test('and answers 200 without one', async () => {
    for (const scenario of scenariosOf(route, ground) ?? []) {
      expect((await answer(scenario, undefined, false)).status).toBe(200);
    }
  });
});

/** These run last because they change the whole platform. */
describe.each(
  routes.filter(({ id, kind }) => expectedFor(id, kind) === 'admin').map((route) => [route.id, route] as const),
)('%s needs the bootstrap token', (_, route) => {
  test('and answers 401 without a token, 403 to everyone else, including superusers', async () => {
    for (const scenario of scenariosOf(route, ground) ?? []) {
      expect((await answer(scenario, undefined, false)).status).toBe(401);
      for (const token of [nobody, superuser]) {
        expect(await answer(scenario, token, false)).toMatchObject({ status: 403 });
      }
    }
  });

  test('and accepts the request with it', async () => {
    for (const scenario of scenariosOf(route, ground) ?? []) {
      const { status, text } = await answer(scenario, 'secret-token', false);
      expect([200, 201, 202, 400, 404], text.slice(0, 300)).toContain(status);
    }
  });
});
