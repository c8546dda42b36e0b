import { describe, expect, test } from 'vitest';
import { isObject, type JsonObject, listAt, objectAt, stringAt } from '../../../src/base/json/json.ts';
import { actions, changeOf, codes, declare, plan, snapshot } from '../world.ts';
import {
  carriedOut,
  docs,
  domainSpec,
  id,
  ownedDomain,
  part,
  planFor,
  prefixes,
  route,
  routesOnly,
  run,
  targets,
  web,
  withDocs,
} from './domainParts.ts';

describe('a part of a domain', () => {
  test('adds its route by the key of the port, with a tag that records it, and nothing else', () => {
    const made = planFor('docs', [withDocs], ownedDomain(route('/')));
    const { patch, part: isPart, action } = changeOf(made, id);
    expect([action, isPart]).toEqual(['patch', true]);
    const { tags, ...rest } = patch?.expose() ?? {};
    expect(rest).toEqual({
      id: `uid-${id}`,
      version: 1,
      spec: { '$patch/ports': [{ number: 443, '$append/routes': [route('/docs', docs)] }] },
    });
    expect(isObject(tags) ? Object.keys(tags) : []).toEqual(['gantry/applied.docs']);
    expect(changeOf(made, id).fields.map(({ path }) => path)).toEqual([
      'spec.ports.443.routes."/docs".prefix',
      'spec.ports.443.routes."/docs".workloadLink',
    ]);
  });

  test('is written as a whole list if the platform does not support list keys', () => {
    const on = snapshot([ownedDomain(route('/')), ...targets], { directives: 'stated' });
    const made = plan([withDocs], on, { owner: 'docs' });
    const ports = objectAt(changeOf(made, id).patch?.expose() ?? {}, 'spec')['ports'];
    expect(Array.isArray(ports)).toBe(true);
  });

  test('changes its own route and removes it when no longer declared; routes of others stay', () => {
    const first = run('docs', [withDocs], ownedDomain(route('/')));
    const moved = declare(id, routesOnly(route('/docs', web), route('/help', docs)), part);
    const second = run('docs', [moved], first);
    expect(prefixes(second)).toEqual(['/docs', '/help', '/']);
    const third = run('docs', [declare(id, routesOnly(route('/help', docs)), part)], second);
    expect(prefixes(third)).toEqual(['/help', '/']);
    const gone = run('docs', [], third);
    expect(prefixes(gone)).toEqual(['/']);
    expect(Object.keys(objectAt(gone.record, 'tags')).sort()).toEqual(['gantry/applied', 'gantry/stack']);
  });

  test.each([
    ['docs', 'help'],
    ['help', 'docs'],
  ])('two stacks, %s first, then %s: neither changes routes of the other', (one, two) => {
    const partOf = (name: string) => declare(id, routesOnly(route(`/${name}`, docs)), part);
    const both = run(two, [partOf(two)], run(one, [partOf(one)], ownedDomain(route('/'))));
    expect([...prefixes(both)].sort()).toEqual(['/', '/docs', '/help']);
    expect(actions(planFor(one, [partOf(one)], both))).toEqual([]);
    expect([...prefixes(run(one, [], both))].sort()).toEqual(['/', `/${two}`]);
  });

  test('a port that only it declares is its own, and is removed with it', () => {
    const port = { number: 8443, protocol: 'http2', routes: [route('/admin', docs)] };
    const on = run('docs', [declare(id, { spec: { ports: [port] } }, part)], ownedDomain(route('/')));
    expect(listAt(objectAt(on.record, 'spec'), 'ports')).toHaveLength(2);
    expect(run('docs', [], on).record['spec']).toEqual(ownedDomain(route('/')).record['spec']);
  });

  test('a port stays as long as another stack has a route in it', () => {
    const port = (...routes: readonly JsonObject[]) => ({
      spec: { ports: [{ number: 8443, protocol: 'http2', routes }] },
    });
    const mine = run('docs', [declare(id, port(route('/admin', docs)), part)], ownedDomain(route('/')));
    const both = run(
      'help',
      [declare(id, { spec: { ports: [{ number: 8443, routes: [route('/help', docs)] }] } }, part)],
      mine,
    );
    const left = run('docs', [], both);
    const [, second] = listAt(objectAt(left.record, 'spec'), 'ports');
    expect(isObject(second) ? [second['number'], second['routes']] : second).toEqual([8443, [route('/help', docs)]]);
  });

  test('a port of others is not changed: another value in a part is refused', () => {
    const other = declare(
      id,
      { spec: { ports: [{ number: 443, protocol: 'http', routes: [route('/docs', docs)] }] } },
      part,
    );
    expect(codes(planFor('docs', [other], ownedDomain(route('/'))))).toEqual(['part.conflict']);
  });
});

describe('an item that exists before the part', () => {
  test('an equal route is declared without a change, and stays when the part is removed', () => {
    const same = declare(id, routesOnly(route('/')), part);
    const made = planFor('docs', [same], ownedDomain(route('/')));
    expect(changeOf(made, id)).toMatchObject({
      action: 'adopt',
      reason: 'this stack declares items that are there already',
      fields: [],
      notes: ['spec.ports.443.routes."/" already exists, and stays when this part is removed'],
    });
    const on = run('docs', [same], ownedDomain(route('/')));
    expect(prefixes(run('docs', [], on))).toEqual(['/']);
  });

  test('a route with another value is refused, with its owner', () => {
    const on = run('help', [declare(id, routesOnly(route('/docs', web)), part)], ownedDomain(route('/')));
    const made = planFor('docs', [withDocs], on);
    expect(codes(made)).toEqual(['part.conflict']);
    expect(changeOf(made, id).refusals[0]?.message).toContain('the stack help');
    expect(codes(planFor('docs', [declare(id, routesOnly(route('/', docs)), part)], on))).toEqual(['part.conflict']);
  });

  test('lifecycle.adopt adopts items that no other part owns, and no others', () => {
    const adopt = { ...part, adopt: true };
    const on = run(
      'help',
      [declare(id, routesOnly(route('/help', web)), part)],
      ownedDomain(route('/'), route('/old')),
    );
    const claimed = run('docs', [declare(id, routesOnly(route('/old')), adopt)], on);
    expect(actions(planFor('docs', [declare(id, routesOnly(route('/old')), adopt)], on))).toEqual([`adopt ${id}`]);
    expect(prefixes(run('docs', [], claimed))).toEqual(['/help', '/']);
    expect(codes(planFor('docs', [declare(id, routesOnly(route('/help', docs)), adopt)], on))).toEqual([
      'part.conflict',
    ]);
  });
});

describe('the owner of a resource with parts', () => {
  const whole = (...routes: readonly JsonObject[]) => declare(id, domainSpec(...routes));

  test('keeps the routes of parts, removes others, and names their stacks', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/'), route('/foreign')));
    const made = planFor('base', [whole(route('/'))], on);
    expect(prefixes(carriedOut(made, on))).toEqual(['/docs', '/']);
    expect(changeOf(made, id).notes).toEqual(['1 item belongs to docs']);
    expect(Object.keys(objectAt(carriedOut(made, on).record, 'tags'))).toContain('gantry/applied.docs');
    expect(actions(planFor('base', [whole(route('/'))], carriedOut(made, on)))).toEqual([]);
  });

  test('keeps a port that it no longer declares only for the routes of others', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    const left = carriedOut(planFor('base', [declare(id)], on), on);
    expect(prefixes(left)).toEqual(['/docs']);
  });

  test('is refused if it declares another value for a route of a part', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    expect(codes(planFor('base', [whole(route('/'), route('/docs', web))], on))).toEqual(['part.conflict']);
    expect(codes(planFor('base', [whole(route('/'), route('/docs', docs))], on))).toEqual([]);
  });

  test('deletes the parts of others only with their exact number', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    const gone = planFor('base', [], on, { allowEmpty: true });
    expect(codes(gone)).toEqual(['delete.part']);
    expect(changeOf(gone, id).refusals[0]?.message).toBe('it would also delete parts that belong to docs');
    expect(codes(planFor('base', [], on, { allowEmpty: true, allowCollateral: 1 }))).toEqual([]);
  });

  test('ignores the tag of a part that was copied from another resource', () => {
    const on = run('docs', [withDocs], ownedDomain(route('/')));
    const text = stringAt(objectAt(on.record, 'tags'), 'gantry/applied.docs') ?? '';
    const copy = {
      ...on.record,
      tags: { ...objectAt(on.record, 'tags'), 'gantry/applied.docs': text.replace(/;l.{12}/, ';lAAAAAAAAAAAA') },
    };
    expect(prefixes(carriedOut(planFor('base', [whole(route('/'))], { ...on, record: copy }), on))).toEqual(['/']);
  });
});
