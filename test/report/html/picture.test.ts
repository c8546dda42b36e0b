import { describe, expect, test } from 'vitest';
import { graphOf, type PicturedChange } from '../../../src/report/graph.ts';
import { boxesOfAlike, mostNodes, pictureOf, withoutImplied } from '../../../src/report/picture.ts';

function change(id: string, waitsFor: readonly string[] = [], more: Partial<PicturedChange> = {}): PicturedChange {
  const [kind = '', ...rest] = id.split('/');
  const gvc = rest.length > 1 ? { gvc: rest[0] } : {};
  const edges = waitsFor.map((on) => ({ on, soft: false, step: 'write' as const }));
  return { id, kind, name: rest.at(-1) ?? '', ...gvc, action: 'create', waitsFor: edges, cascadesTo: [], ...more };
}

/** `a -> b` means that b waits for a. */
function linksOf(changes: readonly PicturedChange[], reduced = true): readonly string[] {
  const graph = reduced ? withoutImplied(graphOf(changes)) : graphOf(changes);
  return graph.links.map(({ from, to }) => `${graph.nodes[from]?.id} -> ${graph.nodes[to]?.id}`).sort();
}

describe('the drawn graph', () => {
  test('has unchanged resources only next to changes', () => {
    const changes = [
      change('gvc/a', [], { action: 'keep' }),
      change('workload/a/web', ['gvc/a']),
      change('domain/x.com', ['workload/a/web'], { action: 'keep' }),
      change('gvc/b', [], { action: 'keep' }),
    ];
    expect(graphOf(changes).nodes.map(({ id }) => id)).toEqual(['gvc/a', 'workload/a/web', 'domain/x.com']);
    const kept = changes.map((each) => ({ ...each, action: 'keep' as const }));
    expect(graphOf(kept).nodes).toHaveLength(4);
  });

  test('has resources that a change deletes or affects, even without a change of their own', () => {
    const { nodes, links } = graphOf([
      change('gvc/a', [], {
        action: 'delete',
        cascadesTo: ['identity/a/stranger', 'workload/a/web'],
        victims: ['workload/a/victim'],
      }),
      change('workload/a/web', [], { action: 'delete' }),
    ]);
    expect(nodes.map(({ id, role }) => [id, role])).toEqual([
      ['gvc/a', 'change'],
      ['workload/a/web', 'change'],
      ['identity/a/stranger', 'goes-along'],
      ['workload/a/victim', 'hit'],
    ]);
    expect(links.map(({ to, meaning }) => [to, meaning])).toEqual([
      [2, 'takes'],
      [1, 'takes'],
      [3, 'hits'],
    ]);
  });

  test('has no arrow that others imply', () => {
    const chain = [change('k/a'), change('k/b', ['k/a']), change('k/c', ['k/a', 'k/b']), change('k/d', ['k/a', 'k/c'])];
    expect(linksOf(chain)).toEqual(['k/a -> k/b', 'k/b -> k/c', 'k/c -> k/d']);
  });

  test('shows for two replacements the order of their creations', () => {
    const deletion = { on: 'workload/a/db', soft: false, step: 'delete' } as const;
    const replacements = [
      change('volumeset/a/rows', [], { action: 'replace', waitsFor: [deletion] }),
      change('workload/a/db', ['volumeset/a/rows'], { action: 'replace' }),
    ];
    expect(linksOf(replacements)).toEqual(['volumeset/a/rows -> workload/a/db']);
    expect(linksOf([change('volumeset/a/rows', [], { waitsFor: [deletion] }), change('workload/a/db')])).toHaveLength(
      1,
    );
  });

  test('keeps the arrows of a cycle', () => {
    const cycle = [change('k/a', ['k/c']), change('k/b', ['k/a']), change('k/c', ['k/b'])];
    expect(linksOf(cycle)).toEqual(['k/a -> k/b', 'k/b -> k/c', 'k/c -> k/a']);
    expect(pictureOf(cycle)?.links).toHaveLength(3);
  });

  test('needs no deep recursion for a chain of thousands', () => {
    const chain = Array.from({ length: 5_000 }, (_, index) =>
      change(`k/${index}`, index === 0 ? [] : [`k/${index - 1}`]),
    );
    expect(linksOf(chain)).toHaveLength(4_999);
  });

  test('merges equal changes into one box with one arrow', () => {
    const alike = Array.from({ length: 30 }, (_, index) => change(`workload/a/w${index}`, ['gvc/a']));
    const { boxes, links } = boxesOfAlike(
      graphOf([change('gvc/a'), ...alike, change('workload/a/other', ['workload/a/w0'])]),
    );
    // w0 differs from the others, because another change waits for it.
    expect(boxes.map(({ members }) => members.length)).toEqual([1, 1, 29, 1]);
    expect(links).toHaveLength(3);
  });
});

describe('the layout of the picture', () => {
  const changes = [
    change('gvc/a'),
    ...Array.from({ length: 12 }, (_, index) => change(`workload/a/w${index}`, ['gvc/a'])),
    change('domain/x.com', ['workload/a/w0']),
  ];

  test('has no overlaps, and everything is inside', () => {
    const picture = pictureOf(changes);
    expect(picture?.nodes).toHaveLength(14);
    for (const [index, a] of (picture?.nodes ?? []).entries()) {
      expect(a.x).toBeGreaterThanOrEqual(0);
      expect(a.x + a.width).toBeLessThanOrEqual(picture?.width ?? 0);
      expect(a.y + a.height).toBeLessThanOrEqual(picture?.height ?? 0);
      for (const b of picture?.nodes.slice(index + 1) ?? []) {
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(apart, `${a.id} and ${b.id}`).toBe(true);
      }
    }
  });

  test('is equal for equal plans', () => {
    expect(JSON.stringify(pictureOf(changes))).toBe(JSON.stringify(pictureOf(structuredClone(changes))));
  });

  test('has groups if there are too many changes to draw', () => {
    const many = Array.from({ length: mostNodes + 1 }, (_, index) => change(`workload/a/w${index}`, ['gvc/a']));
    const picture = pictureOf([change('gvc/a'), ...many]);
    expect(picture).toMatchObject({ grouped: true, nodes: [], links: [{ from: 0, to: 1 }] });
    expect(picture?.boxes.map(({ kind, count }) => [kind, count])).toEqual([
      ['gvc', 1],
      ['workload', mostNodes + 1],
    ]);
  });

  test('is undefined if there are too many groups to draw', () => {
    const many = Array.from({ length: mostNodes + 1 }, (_, index) => change(`workload/g${index}/web`));
    expect(pictureOf(many)).toBeUndefined();
  });
});
