import type { SwitchName } from './server/switches.ts';

const lines: readonly (readonly [SwitchName | 'none', readonly string[]])[] = [
  ['none', ['destroy']],
  ['items-without-spec', ['apply', 'plan', 'change']],
  ['items-without-tags', ['apply', 'plan', 'change']],
  ['items-with-links-only', ['apply']],
  ['items-are-names', ['apply']],
  ['list-is-array', ['apply']],
  ['list-under-data', ['apply']],
  [
    'cut-next',
    ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'prune'],
  ],
  [
    'cut-nextLink',
    ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'prune'],
  ],
  ['cut-links-next-relative', ['apply', 'plan', 'change']],
  [
    'cut-next-relative',
    ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'prune'],
  ],
  [
    'cut-link-header',
    ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'prune'],
  ],
  [
    'cut-token',
    ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'prune'],
  ],
  [
    'cut-cursor',
    ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'prune'],
  ],
  [
    'cut-total',
    ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'prune'],
  ],
  [
    'cut-silently',
    ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'prune'],
  ],
  ['cut-other-host', ['apply', 'plan', 'change']],
  [
    'versions-jump',
    ['change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'replace'],
  ],
  ['versions-global', ['change', 'tags']],
  ['versions-rise', ['change', 'tags']],
  ['versions-rise-twice', ['tags']],
  ['versions-constant', ['drift']],
  ['versions-text', ['apply']],
  ['versions-absent', ['apply']],
  ['versions-count-all-ignored', ['change', 'lists', 'false', 'tags', 'secret']],
  ['patch-refuses-id-and-version', ['change']],
  ['patch-refuses-version', ['change']],
  [
    'default-timeout-15',
    ['apply', 'plan', 'change', 'lists', 'false', 'tags', 'secret', 'drift', 'adopt', 'prune', 'replace', 'kill'],
  ],
  ['default-cpu-100m', ['apply']],
  ['default-memory-256Mi', ['apply']],
  ['default-protocol-tcp', ['lists']],
  [
    'default-probe',
    ['apply', 'plan', 'change', 'lists', 'false', 'tags', 'secret', 'drift', 'adopt', 'prune', 'replace', 'kill'],
  ],
  [
    'default-tls',
    ['apply', 'plan', 'change', 'lists', 'false', 'tags', 'secret', 'drift', 'adopt', 'prune', 'replace', 'kill'],
  ],
  ['default-naming', ['apply']],
  ['class-underscores', ['apply']],
  ['image-digest', ['apply']],
  ['image-registry', ['apply']],
  ['numbers-as-text', ['apply']],
  [
    'empty-for-absent',
    ['apply', 'plan', 'change', 'lists', 'false', 'tags', 'secret', 'drift', 'adopt', 'prune', 'replace', 'kill'],
  ],
  ['gone-410', ['prune', 'replace']],
  ['null-ignored', ['tags']],
  ['null-stored', ['kill']],
  ['null-refused', ['tags']],
  ['only-drop', ['change']],
  ['list-directives-stored', ['change']],
  ['patch-refused', ['change']],
  ['items-by-other-key', ['change']],
  ['lists-merged', ['lists']],
  ['lists-appended', ['lists']],
  ['query-500', ['apply']],
  ['query-html', ['apply']],
  ['query-empty', ['apply', 'change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret']],
  ['query-and-lists-absent', ['apply']],
  ['reads-lag', ['apply', 'adopt', 'replace']],
  ['lists-lag', ['adopt', 'replace']],
  ['unknown-401', ['apply']],
  ['unknown-403', ['apply']],
  ['unknown-405', ['apply']],
  ['unknown-500', ['apply']],
  ['unknown-400', ['apply']],
  ['unknown-501', ['apply']],
  ['unknown-html-200', ['apply']],
  ['params-400', ['apply']],
  ['links-absolute', ['apply']],
  ['links-short', ['apply']],
  ['links-relative', ['apply']],
  ['links-none', ['apply']],
  ['links-empty', ['apply']],
  ['links-https-elsewhere', ['apply']],
  ['values-absolute', ['apply']],
  [
    'patch-answers-old',
    ['change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'kill'],
  ],
  [
    'patch-answers-echo',
    ['change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'kill'],
  ],
  ['gvc-in-background', ['apply']],
  ['all-in-background', ['apply']],
  ['gvc-delete-needs-empty', ['destroy']],
  ['delete-used-409', ['apply']],
  ['own-tags', ['replace']],
  [
    'own-tags-change',
    ['change', 'lists', 'false', 'tags', 'secret', 'saved', 'undo', 'undo-secret', 'drift', 'adopt', 'replace'],
  ],
  ['tags-not-kept', ['apply']],
  ['tags-lower', ['apply']],
  ['gzip', ['apply']],
  ['brotli', ['apply']],
  ['redirect-307', ['apply']],
  ['redirect-308', ['apply']],
  ['redirect-302-get', ['apply']],
  ['wrapped', ['apply']],
];

/** What is not right yet: by switch, the steps of the scenario with a finding. This table only shrinks. */
export const known: ReadonlyMap<string, readonly string[]> = new Map(lines);

/** What differs from the table: findings that are new, and lines that can go. */
export function news(names: readonly SwitchName[], steps: readonly string[]): readonly string[] {
  const expected = names.length > 1 ? [] : (known.get(names[0] ?? 'none') ?? []);
  const found = [...new Set(steps)];
  return [
    ...found.filter((step) => !expected.includes(step)).map((step) => `new: ${step}`),
    ...expected.filter((step) => !found.includes(step)).map((step) => `no longer: ${step}`),
  ];
}
