import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, test } from 'vitest';
import type { PlanDocument } from '../../../src/change/documents/planDocument.ts';
import { pagePlan } from '../../../src/report/pagePlan.ts';
import { renderJunit } from '../../../src/report/renderJunit.ts';
import { mostCharacters, renderMarkdown } from '../../../src/report/renderMarkdown.ts';
import { changeOf, driftDocument, planReport, reportOf } from '../makeReports.ts';

const place = { file: 'shop.yaml', line: 12, column: 3 };

describe('a plan', () => {
  test('shows who gains and loses access with signs that Markdown keeps, and only the changed items of lists', () => {
    const access = { principal: 'group/ops', permission: 'view', target: 'secret/db' } as const;
    const members = Array.from({ length: 50 }, (_, index) => `//user/${index}@example.com`);
    const change = changeOf({
      fields: [{ path: 'memberLinks', old: members, new: [...members, '//user/new@example.com'] }],
      access: [
        { ...access, change: 'gained' },
        { ...access, change: 'lost', permission: 'edit' },
      ],
    });
    const blocks = fromMarkdown(renderMarkdown(planReport({ org: 'acme', changes: [change] }))).children;
    expect(blocks.flatMap((block) => (block.type === 'code' && block.lang === 'diff' ? [block.value] : []))).toEqual([
      [
        '! memberLinks:',
        '@@ -49,2 +49,3 @@',
        '    "//user/48@example.com"',
        '    "//user/49@example.com"',
        '+   "//user/new@example.com"',
      ].join('\n'),
      ['+ view  group/ops on secret/db', '- edit  group/ops on secret/db'].join('\n'),
    ]);
  });

  test('has its counts and its risk first, then each change', () => {
    const report = planReport(
      {
        risk: 'rolling-restart',
        changes: [
          changeOf({
            place,
            risk: 'rolling-restart',
            fields: [
              { path: 'spec.containers.main.cpu', old: '50m', new: '100m', risk: 'rolling-restart' },
              { path: 'spec.containers.main.args', new: ['-v'] },
              { path: 'tags.team', old: 'a' },
              {
                path: 'spec.containers.main.env.KEY.value',
                old: { sensitive: true, changed: true },
                new: { sensitive: true, changed: true },
              },
            ],
            patch: { id: '1', version: 3, tags: { $drop: ['team'] } },
            waitsFor: [{ step: 'write', on: 'gvc/shop', because: 'it lives in that GVC', soft: false }],
            notes: ['operational drift'],
          }),
          changeOf({ id: 'gvc/shop', kind: 'gvc', name: 'shop', action: 'keep', reason: '' }),
        ],
      },
      { exitCode: 2, subject: { org: 'acme', stack: 'shop', environment: 'prod' } },
    );
    const proofs = new Map([['workload/shop/web', { holds: true, managed: 4, untouched: 1, against: [] }]]);
    expect(
      renderMarkdown({ ...report, plans: report.plans.map((plan) => ({ ...plan, proofs })) }),
    ).toBe(`<!-- gantry report stack=shop env=prod -->

### Gantry plan: \`shop\` in \`acme\` environment \`prod\`

**Changes are planned.**

- 1 to change, 1 unchanged. Worst risk: **rolling-restart** (\`workload/shop/web\`). 2 requests to apply.

<details>
<summary><code>~</code> <code>workload/shop/web</code> <b>rolling-restart</b></summary>

- \`changed in the code\`

\`\`\`diff
- spec.containers.main.cpu: "50m"
+ spec.containers.main.cpu: "100m"  # rolling-restart
+ spec.containers.main.args: ["-v"]
- tags.team: "a"
! spec.containers.main.env.KEY.value: (sensitive, changed)
\`\`\`

- declared at \`shop.yaml:12:3\`
- waits for \`gvc/shop\`
- proven: 4 managed fields as declared, 1 other unchanged
- note: \`operational drift\`

PATCH

\`\`\`json
{
  "id": "1",
  "version": 3,
  "tags": {
    "$drop": [
      "team"
    ]
  }
}
\`\`\`

</details>

<sub>gantry 1.2.3, \`gantry plan\`, exit code 2</sub>
`);
  });

  test('that a policy refuses has the place and the permit once each', () => {
    const [at, message] = ['shop.yaml:12:3', 'spec.type: it is not set. Set it.'];
    const refusal = { code: 'policy.typed', message: `${at}: ${message}`, place, allow: 'add an exception' };
    const report = planReport(
      { changes: [changeOf({ action: 'refuse', intended: 'patch', refusals: [refusal], place })] },
      {
        outcome: 'refused',
        exitCode: 3,
        error: {
          code: 'plan.refused',
          message: 'the plan is refused',
          hint: 'To permit it, add an exception',
          causes: [],
        },
      },
    );
    const text = renderMarkdown(report);
    expect(text).toContain(
      '- `policy.typed` `workload/shop/web` `shop.yaml:12`: `spec.type: it is not set. Set it`. `To permit it, add an exception`',
    );
    expect(text.match(/To permit it/g)).toHaveLength(1);
    expect(renderJunit(report)).toContain(`>${at}: ${message} To permit it, add an exception</failure>`);
  });

  test('that is refused begins with the reason', () => {
    const refusal = {
      code: 'delete.bystander',
      message: 'it holds `web`, which is not of this stack',
      allow: '--allow-collateral',
    };
    const report = planReport(
      {
        risk: 'data-loss',
        changes: [
          changeOf({ id: 'workload/shop/web', risk: 'metadata', fields: [{ path: 'description', new: 'x' }] }),
          changeOf({
            id: 'gvc/shop',
            kind: 'gvc',
            name: 'shop',
            action: 'refuse',
            intended: 'delete',
            reason: 'no longer declared',
            risk: 'data-loss',
            refusals: [refusal],
            place,
          }),
        ],
      },
      { outcome: 'refused', exitCode: 3, error: { code: 'plan.refused', message: 'the plan is refused', causes: [] } },
    );
    expect(renderMarkdown(report)).toBe(`<!-- gantry report stack=shop env=* -->

### Gantry plan: \`shop\` in \`acme\`

**Refused: nothing was written, and nothing will be.** \`plan.refused\`: \`the plan is refused\`

- 1 to change, 1 refused. Worst risk: **data-loss** (\`gvc/shop\`). 2 requests to apply.

#### Refusals

- \`delete.bystander\` \`gvc/shop\` \`shop.yaml:12\`: \`\`it holds \`web\`, which is not of this stack\`\`. \`To permit it: --allow-collateral\`

<details>
<summary><code>!</code> <code>gvc/shop</code> (would be deleted) <b>data-loss</b></summary>

- \`no longer declared\`
- declared at \`shop.yaml:12:3\`

</details>

<details>
<summary><code>~</code> <code>workload/shop/web</code> <b>metadata</b></summary>

- \`changed in the code\`

\`\`\`diff
+ description: "x"
\`\`\`

</details>

<sub>gantry 1.2.3, \`gantry plan\`, exit code 3</sub>
`);
  });

  test('without changes is short', () => {
    const change = changeOf({ action: 'keep', reason: '' });
    expect(renderMarkdown(planReport({ changes: [change] }))).toBe(`<!-- gantry report stack=shop env=* -->

### Gantry plan: \`shop\` in \`acme\`

**No changes.**

- 1 unchanged.

<sub>gantry 1.2.3, \`gantry plan\`, exit code 0</sub>
`);
  });
});

test('an apply shows what it did and did not do', () => {
  const report = planReport(
    {
      changes: [
        changeOf({ id: 'gvc/shop', action: 'create' }),
        changeOf({ id: 'workload/shop/web', action: 'create' }),
      ],
      result: {
        outcome: 'partly',
        done: ['gvc/shop'],
        failed: [{ id: 'workload/shop/web', code: 'api.invalid', message: 'spec.type: unknown' }],
        skipped: [],
        changes: [
          { id: 'gvc/shop', outcome: 'done', startedAt: '2026-11-20T14:03:00.125Z', elapsedMs: 312 },
          { id: 'workload/shop/web', outcome: 'failed', startedAt: '2026-11-20T14:03:00.500Z', elapsedMs: 1200 },
        ],
        requests: 4,
        elapsedMs: 1700,
        verified: null,
        interrupted: false,
      },
    },
    {
      command: 'apply',
      outcome: 'partly',
      exitCode: 5,
      error: { code: 'apply.partly', message: '1 done, 1 failed', causes: [] },
    },
  );
  const text = renderMarkdown(report);
  expect(text).toContain(
    '**Partly done: something was written, and something else was not.** `apply.partly`: `1 done, 1 failed`',
  );
  expect(text).toContain('#### Not carried out\n\n- `api.invalid` `workload/shop/web`: `spec.type: unknown`\n');
  expect(text).toContain('- Not finished: 1 created, 1 failed. 4 requests in 1.7 s.\n- Nothing was written.\n');
  expect(text).toContain(`<summary>4 requests in 1.7 s</summary>

- \`gvc/shop\` done from 14:03:00.125, 0.3 s
- \`workload/shop/web\` failed from 14:03:00.500, 1.2 s

</details>`);
});

test('an apply shows in comment and page what it shows in a terminal: races, notes, verification, addresses', () => {
  const result = {
    ...{ outcome: 'done', done: ['domain/a.b'], failed: [], skipped: [], requests: 4, elapsedMs: 1700 },
    ...{ verified: true, interrupted: false, notes: ['a note'] },
    compared: { written: 1, unchanged: 0, deleted: 0, released: 0, rewritten: ['gvc/x'], notCompared: [] },
    changes: [{ id: 'domain/a.b', outcome: 'done', endpoints: ['https://a.b'] }],
    races: [{ id: 'gvc/x', outcome: 'written', from: 3, to: 4, theirs: [], notWritten: [], by: ['ann'] }],
  } as const satisfies PlanDocument['result'];
  const report = planReport({ changes: [changeOf({ id: 'domain/a.b', action: 'create' })], result });
  expect(renderMarkdown(report)).toContain(
    [
      '- Done: 1 created. 4 requests in 1.7 s.',
      '- Meanwhile `ann wrote gvc/x (version 3 to 4); the change of this run was written`.',
      '- Note: `a note`.',
      '- Verified: 1 written resource is there as planned.',
      '- Written by somebody else since, and still as declared: `gvc/x`.',
      '- **Addresses:**',
      '- `domain/a.b` `https://a.b`',
    ].join('\n'),
  );
  const [plan] = report.plans.map(pagePlan);
  expect(JSON.stringify(plan?.result)).toContain('1 written resource is there as planned.');
  expect(plan?.result?.at(-1)).toMatchObject({ children: [{ rows: [{ id: 'domain/a.b', text: 'https://a.b' }] }] });
});

test('the differences that verification found are in a comment once', () => {
  const result = {
    ...{ outcome: 'partly', done: ['gvc/a'], failed: [], skipped: [], requests: 4 },
    ...{ verified: false, interrupted: false, differences: ['gvc/a was deleted, but exists again'] },
  } as const satisfies PlanDocument['result'];
  const text = renderMarkdown(planReport({ changes: [changeOf({ id: 'gvc/a', action: 'delete' })], result }));
  expect(text.split('was deleted, but exists again')).toHaveLength(2);
  expect(text).toContain('- Verification failed: the live state differs from the plan');
});

test('changes that no apply undoes are listed separately, below the headline of no drift', () => {
  const leftAlone = [{ path: 'tags.theirs', new: '2' }];
  const drift = driftDocument([
    { id: 'gvc/shop', state: 'left-alone', orphaned: false, fields: [], leftAlone, writes: [] },
  ]);
  const text = renderMarkdown(reportOf({ command: 'drift', outcome: 'no-drift', exitCode: 0, drifts: [drift] }));
  expect(text).toContain('**No drift.**');
  expect(text).toContain('<summary><code>gvc/shop</code>: written by others, where apply changes nothing</summary>');
  expect(text).toContain('- different now:\n\n```diff\n+ tags.theirs: "2"\n```');
});

test('drift shows who wrote which fields', () => {
  const drift = driftDocument([
    {
      id: 'workload/shop/web',
      state: 'touched',
      orphaned: false,
      fields: [{ path: 'spec.containers.main.cpu', old: '50m', new: '2' }],
      writes: [
        {
          action: 'edit',
          version: 8,
          at: '2026-11-20T14:03:00.000Z',
          by: { name: 'ana@example.com', type: 'user' },
          fields: [{ path: 'spec.containers.main.cpu', old: '50m', new: '2' }],
        },
      ],
    },
    { id: 'gvc/shop', state: 'untouched', orphaned: false, fields: [], writes: [] },
  ]);
  expect(
    renderMarkdown(reportOf({ command: 'drift', outcome: 'drift', exitCode: 2, drifts: [drift] })),
  ).toBe(`<!-- gantry report stack=shop env=* -->

### Gantry drift: \`shop\` in \`acme\`

**Drift: something changed outside of the code.**

**Drift:** 1 unchanged, 1 changed by others. Requests: 3.

<details>
<summary><code>~</code> <code>workload/shop/web</code>: written by others</summary>

- version 8: changed by \`ana@example.com\` (\`user\`) at \`2026-11-20T14:03:00.000Z\`

\`\`\`diff
- spec.containers.main.cpu: "50m"
+ spec.containers.main.cpu: "2"
\`\`\`

</details>

<sub>gantry 1.2.3, \`gantry drift\`, exit code 2</sub>
`);
});

test('problems of manifests have their lines', () => {
  // biome-ignore format: a row is a case
  const problems = [
    { ...place, rule: 'W12', path: 'spec.type', message: 'unknown', hint: 'Take standard.',
      severity: 'error' as const },
  ];
  const text = renderMarkdown(reportOf({ command: 'validate', outcome: 'invalid', exitCode: 1, problems }));
  expect(text).toContain(
    '**Not valid.**\n\n#### Problems\n\n- `W12` `spec.type` `shop.yaml:12`: `unknown`. `Take standard.`\n',
  );
});

describe('several stacks', () => {
  const stacks = (...documents: readonly Partial<PlanDocument>[]) => ({
    plans: documents.flatMap((document) => planReport(document).plans),
    subject: { org: 'acme', stacks: documents.map(({ stack = 'shop' }) => stack) },
  });

  test('have one heading each, in order, above their details; refusals come first and name their stack', () => {
    const refusal = { code: 'delete.bystander', message: 'it holds web' };
    const report = reportOf({
      outcome: 'refused',
      exitCode: 3,
      ...stacks(
        {
          stack: 'network',
          notes: ['the token cannot view domains'],
          changes: [changeOf({ id: 'gvc/net', kind: 'gvc', name: 'net', action: 'create', reason: 'new' })],
        },
        {
          stack: 'service',
          risk: 'downtime',
          changes: [
            changeOf({
              id: 'gvc/old',
              kind: 'gvc',
              name: 'old',
              action: 'refuse',
              risk: 'downtime',
              refusals: [refusal],
            }),
          ],
        },
      ),
    });
    expect(renderMarkdown(report)).toBe(`<!-- gantry report stack=network%2Bservice env=* -->

### Gantry plan: \`network\`, \`service\` in \`acme\`

**Refused: nothing was written, and nothing will be.**

- \`network\`: 1 to create. 1 request to apply.
- \`service\`: 1 refused. Worst risk: **downtime** (\`gvc/old\`). 1 request to apply.

#### Refusals

- \`delete.bystander\` \`service\` \`gvc/old\`: \`it holds web\`

#### Stack \`network\`

<details>
<summary>Notes</summary>

- \`the token cannot view domains\`

</details>

<details>
<summary><code>+</code> <code>gvc/net</code></summary>

- \`new\`

</details>

#### Stack \`service\`

<details>
<summary><code>!</code> <code>gvc/old</code> <b>downtime</b></summary>

- \`changed in the code\`

</details>

<sub>gantry 1.2.3, \`gantry plan\`, exit code 3</sub>
`);
  });

  test('show which of them are unchanged', () => {
    const text = renderMarkdown(reportOf({ ...stacks({ stack: 'network' }, { stack: 'service' }) }));
    expect(text).toContain('#### Stack `network`\n\nNo changes.\n\n#### Stack `service`\n\nNo changes.');
  });

  test('that are too many and too long fit, and the worst one is complete wherever it is', () => {
    const long = 'n'.repeat(390);
    const notes = Array.from({ length: 30 }, (_, index) => `${index} ${long}`);
    const many = Array.from({ length: 60 }, (_, index) => ({
      stack: `stack-${index}-${'s'.repeat(60)}`,
      notes,
      risk: 'data-loss' as const,
      changes: Array.from({ length: 30 }, (_, each) =>
        changeOf({
          id: `workload/gvc-${index}/web-${each}`,
          risk: index === 39 && each === 29 ? 'data-loss' : 'none',
          fields: [{ path: 'description', new: 'x'.repeat(300) }],
        }),
      ),
    }));
    const text = renderMarkdown(reportOf({ outcome: 'changes', ...stacks(...many) }));
    expect(text.length).toBeLessThanOrEqual(mostCharacters);
    expect(text).toContain('<code>workload/gvc-39/web-29</code> <b>data-loss</b></summary>');
    expect(text.match(/^#### Stack /gm)).toHaveLength(40);
    const [, left = ''] = /characters:\*\* (\d+) more are not listed/.exec(text) ?? [];
    expect(Number(left)).toBeGreaterThanOrEqual(20 * 30);
    expect(text).toContain('60 notes on whole stacks left out');
    expect(text).toContain('more stacks');
  });
});

describe('the marker is the same for each report of a stack in an environment', () => {
  const first = (text: string) => text.split('\n')[0];

  test('for any command and outcome', () => {
    const subject = { stack: 'shop.web@prod', environment: 'prod -->' };
    const markers = [planReport({}, { subject }), reportOf({ command: 'drift', subject, exitCode: 1 })].map(
      renderMarkdown,
    );
    expect(new Set(markers.map(first))).toEqual(
      new Set(['<!-- gantry report stack=shop.web%40prod env=prod%20--%3E -->']),
    );
  });

  test('for the same stacks in any order, reached or not', () => {
    const of = (...stacks: readonly string[]) => first(renderMarkdown(planReport({}, { subject: { stacks } })));
    expect(of('service', 'network')).toBe('<!-- gantry report stack=network%2Bservice env=* -->');
    expect(of('network', 'service')).toBe(of('service', 'network'));
  });

  test('except for another environment', () => {
    const of = (environment: string) =>
      first(renderMarkdown(planReport({}, { subject: { stack: 'shop', environment } })));
    expect(of('dev')).not.toBe(of('prod'));
  });
});

describe('a large plan', () => {
  const many = (count: number) =>
    planReport({
      changes: Array.from({ length: count }, (_, index) =>
        changeOf({
          id: `workload/shop/web-${index}`,
          action: index === count - 1 ? 'delete' : 'create',
          risk: index === count - 1 ? 'data-loss' : 'none',
          fields: [{ path: 'description', new: 'x'.repeat(200) }],
          patch: { description: 'x'.repeat(200) },
        }),
      ),
      risk: 'data-loss',
    });

  test('of 10,000 changes fits, with the worst one complete, and says what it folded', () => {
    const text = renderMarkdown(many(10_000));
    expect(text.length).toBeLessThanOrEqual(mostCharacters);
    expect(text.length).toBeGreaterThan(0.95 * mostCharacters);
    expect(text).toContain('<summary><code>-</code> <code>workload/shop/web-9999</code> <b>data-loss</b></summary>');
    const [, left = '', short = ''] =
      /\*\*Folded to fit into 65,536 characters:\*\* (\d+) more are not listed \(\d+ to create\); (\d+) are shown in one line/.exec(
        text,
      ) ?? [];
    const opened = text.split('<details>').length - 1;
    expect(Number(left) + Number(short) + opened).toBe(10_000);
    expect(text.match(/^- `\+` /gm)).toHaveLength(Number(short));
  });

  test('that just fits is not folded', () => {
    const text = renderMarkdown(many(80));
    expect(text).not.toContain('Folded');
    expect(text.split('<details>')).toHaveLength(81);
  });

  test('omits patches before fields', () => {
    const text = renderMarkdown(many(130));
    expect(text).toMatch(/\*\*Folded to fit into 65,536 characters:\*\* \d+ patches left out\./);
    expect(text.split('<details>')).toHaveLength(131);
  });

  test('with one value of a megabyte fits, and shows where it was cut', () => {
    const text = renderMarkdown(planReport({ changes: [changeOf({ fields: [{ path: 'a', new: 'y'.repeat(1e6) }] })] }));
    expect(text.length).toBeLessThan(2_000);
    expect(text).toContain('… (1000007 characters)');
  });

  test('with 10,000 refusals and notes fits', () => {
    const refusals = Array.from({ length: 10_000 }, (_, index) => ({ code: 'a.b', message: `refusal ${index}` }));
    const notes = refusals.map(({ message }) => message.repeat(50));
    const text = renderMarkdown(planReport({ refusals, notes, changes: [changeOf({ refusals })] }));
    expect(text.length).toBeLessThanOrEqual(mostCharacters);
    expect(text).toMatch(/^- and \d+ more$/m);
  });
});
