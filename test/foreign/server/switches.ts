/**
 * The open points of the specification, each as a switch of this server. `about` is the subject: at most one switch of
 * a subject is on. `use` defines what a client can still do: `full` everything; a list of steps of the scenario in
 * which a command may be refused, clearly and before any write, while all else works; `unusable` nothing, so the first
 * write is refused, or with `unusable-as-writes-show` the first writes are the last.
 */
interface Row {
  readonly name: string;
  readonly about: string;
  /** The section of the specification that leaves it open. */
  readonly section: string;
  readonly does: string;
  readonly use: 'full' | 'unusable' | 'unusable-as-writes-show' | readonly string[];
  /** Lines of gantry.yaml that the switch needs to have an effect. */
  readonly settings?: string;
}

/** Steps that need to know everything that the stack owns. */
const needsTheWhole = ['prune', 'destroy'] as const;
/** Steps that need the value of an existing secret. */
const needsValues = ['secret', 'undo-secret', 'adopt'] as const;
const full = 'full' as const;
const savedSecret = ['saved-secret'] as const;

// biome-ignore format: one case a line
export const switches = [
  // Secrets: the specification only names them (2.2, 2.5).
  row('reveal-absent', 'reveal', '4.1', 'there is no `-reveal`, and no read shows data', needsValues),
  row('reveal-403', 'reveal', '5.5', '`-reveal` is 403, and no read shows data', needsValues),
  row('reveal-405', 'reveal', '4.1', '`-reveal` is 405, and no read shows data', needsValues),
  row('reveal-403-data', 'reveal', '5.5', '`-reveal` is 403, and every read shows the data', needsValues),
  row('reveal-403-masked', 'reveal', '5.5', '`-reveal` is 403, and every read shows masked data', needsValues),
  row('reveal-404-data', 'reveal', '4.1', 'there is no `-reveal`; every read shows the data', needsValues),
  row('reveal-404-masked', 'reveal', '4.1', 'there is no `-reveal`; every read shows masked data', needsValues),
  row('reveal-404-empty', 'reveal', '4.1', 'there is no `-reveal`; every read shows `data: {}`', needsValues),
  row('reveal-masked', 'reveal', '5.5', '`-reveal` answers with masked data', needsValues),
  row('reads-show-data', 'reveal', '5.5', 'every read shows the data, and `-reveal` works too', full),
  row('reads-show-masked-data', 'reveal', '5.5', 'every read shows masked data, and `-reveal` works', full),
  // The envelope (2.1).
  row('spec-empty', 'envelope', '2.1', 'a record without a spec has `spec: {}`', full),
  row('spec-and-status-null', 'envelope', '2.1', 'what a record does not have is null', full),
  row('status-chatty', 'envelope', '2.1', 'every record has a status that changes at every read', full),
  row('tags-absent', 'envelope', '2.1', 'a record without tags has no member `tags`', full),
  row('unknown-fields', 'envelope', '2.1', 'records have members that the specification does not name', full),
  row('timestamps-absent', 'envelope', '2.1', 'no `created`, no `lastModified`', full),
  row('id-absent', 'envelope', '2.1', 'no `id`', 'unusable'),
  row('modified-now', 'envelope', '2.1', '`lastModified` is another one at every read', full),
  row('description-empty', 'envelope', '2.1', 'a record without a description has an empty one', full),
  // Items of lists (4.1: list endpoints are not shown).
  row('items-without-spec', 'items', '4.1', 'items of lists have no spec, and nothing else of their content', full),
  row('items-without-tags', 'items', '4.1', 'items of lists have no tags', full),
  row('items-with-links-only', 'items', '4.1', 'items of lists have kind, name and links', full),
  row('items-are-names', 'items', '4.1', 'items of lists are their names', full),
  row('list-is-array', 'cut', '4.1', 'a list is an array, without an envelope', needsTheWhole),
  row('list-under-data', 'list', '4.1', 'the items of a list are under `data`', needsTheWhole),
  // Cut lists.
  row('cut-next', 'cut', '4.1', 'one item to a page, and `next` has the path of the next one', full),
  row('cut-nextLink', 'cut', '4.1', 'one item to a page, and `nextLink` has the address of the next one', full),
  row('cut-links-next', 'cut', '4.1', 'one item to a page, and a link `next`', full),
  row('cut-links-next-relative', 'cut', '4.1', 'the link `next` is relative: `?page=2`', full),
  row('cut-next-relative', 'cut', '4.1', '`next` is relative: `?page=2`', full),
  row('cut-link-header', 'cut', '4.1', 'a `Link` header leads to the next page', full),
  row('cut-token', 'cut', '4.1', 'one item to a page, and a `nextPageToken`', needsTheWhole),
  row('cut-cursor', 'cut', '4.1', 'one item to a page, and a `cursor`', needsTheWhole),
  row('cut-total', 'cut', '4.1', 'one item, and a `total` above that', needsTheWhole),
  row('cut-silently', 'cut', '8', 'one item, and nothing says that there are more', needsTheWhole),
  row('cut-other-host', 'cut', '4.1', 'the next page is on another host', needsTheWhole),
  // Versions (9).
  row('versions-jump', 'versions', '9', 'a write raises the version by 7', full),
  row('versions-global', 'versions', '9', 'one counter for all records', full),
  // A saved plan has no value of a secret, so it cannot tell a risen version from another client's write.
  row('versions-rise', 'versions', '9', '30 ms after a write the platform raises the version once more', savedSecret),
  row('versions-rise-twice', 'versions', '9', '10 ms and 200 ms after a write the platform raises it', savedSecret),
  row('versions-count-all', 'versions', '9', 'a PATCH that changes nothing counts too', full),
  row('versions-constant', 'versions', '9', 'the version is always 1', ['drift', 'undo', 'saved', 'undo-secret']),
  row('versions-text', 'versions', '9', 'the version is a text', full),
  row('versions-absent', 'versions', '2.1', 'records have no version', 'unusable'),
  row('versions-from-0', 'versions', '9', 'a new record has version 0', full),
  row('versions-epoch', 'versions', '9', 'the version is the time of the write, in milliseconds', full),
  row('versions-time', 'versions', '9', 'the version is the time of the write, as ISO 8601', 'unusable'),
  row('versions-not-in-items', 'versions', '2.1', 'items of lists have no version', full),
  row('versions-only-in-items', 'versions', '2.1', 'only items of lists have a version', 'unusable-as-writes-show'),
  row('versions-ignored', 'pins', '9', 'the version in a PATCH is ignored', full),
  row('versions-count-all-ignored', 'versions', '9', 'every PATCH counts, and the version in it is ignored', full),
  row('patch-refuses-id-and-version', 'pins', '2.1', 'id and version in a PATCH are refused: response only', full),
  row('patch-refuses-version', 'pins', '2.1', 'the version in a PATCH is refused', full),
  // Defaults (2.4.1, 2.4.3).
  row('default-timeout-15', 'defaults', '2.4.3', 'a workload without a timeout gets 15', full),
  row('default-cpu-100m', 'defaults', '2.4.1', 'a container without cpu gets 100m', full),
  row('default-memory-256Mi', 'defaults', '2.4.1', 'a container without memory gets 256Mi', full),
  row('default-protocol-tcp', 'defaults', '2.4.1', 'a port without protocol gets tcp', full),
  row('default-capacityAI', 'defaults', '2.4.3', 'a workload that may have it gets capacityAI', full),
  row('default-options', 'defaults', '2.4.3', 'all of defaultOptions is filled in', full),
  row('default-firewall', 'defaults', '2.4.2', 'all of firewallConfig is filled in', full),
  row('default-probe', 'defaults', '2.4.1', 'a container with a port gets a readiness probe', full),
  row('default-tls', 'defaults', '2.5', 'a port of a domain gets tls and cors', full),
  row('default-nothing', 'defaults', '2.4.1', 'no default is stored: cpu and memory are absent', full),
  row('default-naming', 'defaults', '2.2', 'a GVC gets endpointNamingFormat, tracing and loadBalancer', full),
  row('default-description', 'defaults', '2.1', 'a record without a description has its name as one', full),
  // Other spellings (2.4, 2.6).
  row('type-capitalised', 'spelling', '2.4', '`Standard`, `Serverless`, `Stateful`', full),
  row('type-upper', 'spelling', '2.4', '`STANDARD`', full),
  row('protocol-upper', 'spelling', '2.4.1', '`HTTP`, `TCP`, `HTTP2`', full),
  row('class-underscores', 'spelling', '2.6', '`general_purpose_ssd`', full),
  row('cpu-as-cores', 'spelling', '2.4.1', '`0.1` for `100m`', full),
  row('memory-as-bytes', 'spelling', '2.4.1', '`134217728` for `128Mi`', full),
  row('memory-as-gi', 'spelling', '2.4.1', '`0.125Gi` for `128Mi`', full),
  row('image-digest', 'spelling', '2.4.1', 'an image is shown with its digest', full),
  row('image-registry', 'spelling', '2.4.1', 'an image without a registry is shown with one', full),
  row('numbers-as-text', 'spelling', '2.4.1', '`"8080"` for `8080`', full),
  row('text-as-number', 'spelling', '2.4.1', '`1` for the value `"1"` of a variable', full),
  row('absent-for-empty', 'spelling', '2.1', '`""`, `[]` and `{}` are not shown', full),
  row('null-for-absent', 'spelling', '2.1', 'members of containers that are absent are null', full),
  row('empty-for-absent', 'spelling', '2.1', 'members of containers that are absent are `""`, `[]` and `{}`', full),
  row('false-not-shown', 'spelling', '2.1', '`false` is not shown', full),
  row('false-dropped', 'spelling', '2.1', '`false` is not stored, but the default `true` of the GVC', ['false']),
  row('lists-sorted', 'spelling', '2.4.1', 'lists are shown sorted', full),
  // Deleted and absent records (7).
  row('gone-410', 'absent', '7', 'what was deleted is 410', full),
  row('absent-403', 'absent', '5.5', 'what is not there is 403, as what may not be viewed', ['apply']),
  row('absent-400', 'absent', '7', 'what is not there is 400', ['apply']),
  row('absent-200-null', 'absent', '7', 'what is not there is 200 and `null`', ['apply']),
  row('absent-html', 'absent', '7', 'what is not there is 404 with a page of HTML', full),
  row('absent-empty', 'absent', '7', 'what is not there is 404 without a body', full),
  // Patch documents (4.2).
  row('null-ignored', 'nulls', '4.2', 'null in a PATCH is ignored: only `$drop` removes', full),
  row('null-stored', 'nulls', '4.2', 'null in a PATCH is stored as null', full),
  row('null-refused', 'nulls', '4.2', 'null in a PATCH is 400', full),
  row('only-drop', 'directives', '4.2', 'only `$drop` is known, other directives are 400', full, 'directives: all'),
  row('list-directives-stored', 'directives', '4.2', 'directives about items are stored', full, 'directives: all'),
  row('patch-refused', 'directives', '4.2', '`$patch/` is 400', full, 'directives: all'),
  row('items-by-other-key', 'items-by', '4.2', 'items are found by another key', full, 'directives: all'),
  row('items-by-index', 'items-by', '4.2', 'items are found by their position', full, 'directives: all'),
  row('list-directives-known', 'items-by', '4.2', 'all directives work', full, 'directives: all'),
  row('lists-merged', 'lists', '4.2', 'a plain list is merged item by item', full),
  row('lists-appended', 'lists', '4.2', 'a plain list is appended', full),
  // Reads of many (4.1, 4.6).
  row('no-collections', 'collections', '4.1', 'GET of a collection is 405', ['destroy']),
  row('collections-404', 'collections', '4.1', 'GET of a collection is 404', ['destroy']),
  row('lists-under-gvc', 'collections', '4.1', 'what a GVC holds is listed under it alone', full),
  row('no-query', 'query', '4.6', '`-query` is 404', full),
  row('query-405', 'query', '4.6', '`-query` is 405', full),
  row('query-500', 'query', '4.6', '`-query` is 500', full),
  row('query-html', 'query', '4.6', '`-query` is 200 with a page of HTML', full),
  row('query-equals-only', 'query', '2.2', 'the one operator of a query is `=`; another is 400', full),
  row('query-ignores-unknown', 'query', '2.2', 'a term with another operator than `=` is left out', full),
  row('query-empty', 'query', '4.6', 'a query finds nothing', needsTheWhole),
  row('query-all-terms', 'query', '2.2', 'a query answers with everything, whatever it asks', full),
  row('query-and-lists-absent', 'query', '4.1', 'no query and no list of any kind', needsTheWhole),
  row('query-without-limit', 'query', '4.6', '`limit` of a query is 400', full),
  row('reads-lag', 'reads', '4.1', 'reads show what was there 400 ms ago', full),
  row('lists-lag', 'reads', '4.1', 'lists and queries show what was there 400 ms ago', full),
  // Features that the platform lacks (4, 7).
  row('unknown-401', 'unknown', '7', 'kinds and paths that are not in the specification: 401', full),
  row('unknown-403', 'unknown', '7', 'kinds and paths that are not in the specification: 403', full),
  row('unknown-405', 'unknown', '7', 'kinds and paths that are not in the specification: 405', full),
  row('unknown-500', 'unknown', '7', 'kinds and paths that are not in the specification: 500', full),
  row('unknown-400', 'unknown', '7', 'kinds and paths that are not in the specification: 400', full),
  row('unknown-501', 'unknown', '7', 'kinds and paths that are not in the specification: 501', full),
  row('unknown-html', 'unknown', '7', 'kinds and paths that are not in the specification: a page of HTML, 404', full),
  row('unknown-html-200', 'unknown', '7', 'kinds and paths that are not in the specification: a page of HTML, 200', full),
  row('unknown-empty-list', 'unknown', '7', 'kinds that are not in the specification: empty lists', full),
  row('params-400', 'cut', '4', 'every query parameter is 400', full),
  // Links (2.1).
  row('links-absolute', 'links', '2.1', 'links are absolute addresses', full),
  row('links-short', 'links', '2.1', 'links are short: `//gvc/shop`', full),
  row('links-relative', 'links', '2.1', 'links are relative: `gvc/shop`', full),
  row('links-none', 'links', '2.1', 'records have no links', full),
  row('links-empty', 'links', '2.1', '`links: []`', full),
  row('links-https-elsewhere', 'links', '2.1', 'links are addresses of the public name of the platform', full),
  row('values-long', 'values', '2.4', 'links in a spec are shown as `/org/ORG/…`', full),
  row('values-absolute', 'values', '2.4', 'links in a spec are shown as absolute addresses', full),
  row('values-short', 'values', '2.4', 'links in a spec are shown as `//…`', full),
  // Answers (4.1: success status codes are not shown).
  row('patch-answers-old', 'answers', '4.1', 'PATCH is answered with the record of before', full),
  row('patch-answers-echo', 'answers', '4.1', 'PATCH is answered with its body', full),
  row('patch-answers-204', 'answers', '4.1', 'PATCH is answered with 204', full),
  row('writes-answer-204', 'answers', '4.1', 'every write is answered with 204', full),
  row('create-answers-200', 'answers', '4.1', 'creation is answered with 200', full),
  row('create-answers-location', 'answers', '4.1', 'creation is answered with 201, a Location and no body', full),
  row('create-answers-name', 'answers', '4.1', 'creation is answered with the name alone', full),
  row('delete-answers-record', 'answers', '4.1', 'deletion is answered with the record', full),
  row('gvc-in-background', 'background', '4.1', 'a GVC is created in the background: 202, there after 300 ms', full),
  row('all-in-background', 'background', '4.1', 'everything is created in the background: 202, there after 100 ms', full),
  row('delete-in-background', 'background', '4.1', 'deletion is 202, and done after 300 ms', full),
  row('put-405', 'create', '4.1', 'PUT is 405', full),
  row('post-upserts', 'create', '4.4', 'POST of a name that exists overwrites it', full),
  row('gvc-delete-needs-empty', 'deletion', '4.5', 'deletion of a GVC that is not empty is 409', full),
  row(
    'delete-used-409',
    'deletion',
    '7',
    'deletion of what another record refers to is 409',
    ['replace'], // a replacement keeps what refers to it
    'consistency-timeout: 2s',
  ),
  row('replaced-name-reserved', 'deletion', '7', 'a deleted name is free again after 300 ms; 409 before', full),
  // Tags (2.1).
  row('own-tags', 'tags', '2.1', 'the platform has tags of its own on every record', full),
  row('own-tags-change', 'tags', '2.1', 'tags of the platform change with every write', full),
  row('tags-as-text', 'tags', '2.1', 'values of tags are shown as texts', full),
  row('tags-as-numbers', 'tags', '2.1', 'values of tags that are digits are shown as numbers', full),
  row('tags-refuse-slash', 'tags', '2.1', 'keys of tags may have no slash: 400', 'unusable-as-writes-show'),
  row('tags-not-kept', 'tags', '2.1', 'tags are accepted and not kept', 'unusable-as-writes-show'),
  row('tags-max-200', 'tags', '8', 'values of tags of more than 200 characters are 400', 'unusable-as-writes-show'),
  row('tags-lower', 'tags', '2.1', 'keys of tags are shown in lower case', 'unusable-as-writes-show'),
  // The audit trail (6: its shape is not shown; this one is as clients of the service have it).
  row('audit-whole', 'audit', '6', 'there is a trail of every write', full),
  row('audit-empty', 'audit', '6', 'the trail is empty', full),
  row('audit-cut', 'audit', '6', 'the trail has the last write of each record alone', full),
  row('audit-late', 'audit', '6', 'the trail has what was written more than five seconds ago', full),
  row('audit-without-names', 'audit', '6', 'events have no subject', full),
  row('audit-403', 'audit', '6', 'the trail is 403', full),
  // Transport.
  row('gzip', 'transport', '1', 'answers are compressed with gzip, whatever is accepted', full),
  row('brotli', 'transport', '1', 'answers are compressed with br, whatever is accepted', full),
  row('redirect-307', 'transport', '1', 'every request is redirected once: 307', full),
  row('redirect-308', 'transport', '1', 'every request is redirected once: 308', full),
  row('redirect-302-get', 'transport', '1', 'reads are redirected once: 302, relative', full),
  row('bytes', 'transport', '1', 'answers arrive byte by byte, in chunks', full),
  row('no-keep-alive', 'transport', '1', 'every connection is closed after its answer', full),
  row('plain-text', 'transport', '1', 'the content type of answers is text/plain', full),
  row('charset', 'transport', '1', 'the content type of answers has a charset, in other case', full),
  row('bom', 'transport', '1', 'answers begin with a byte order mark', full),
  row('raw-key', 'auth', '5.1', '`Authorization` is the key alone; `Bearer` is 401', 'unusable'),
  row('read-only', 'auth', '5.5', 'the key may read, and every write is 403', 'unusable-as-writes-show'),
  row('all-401', 'auth', '5.1', 'every request is 401', 'unusable'),
  row('all-html', 'auth', '7', 'every answer is 200 with a page of HTML', 'unusable'),
  row('wrapped', 'wrapping', '4.1', 'every record is under `data`', 'unusable'),
  // Trouble.
  row('busy-429', 'trouble', '8', 'one request in eight is 429 with Retry-After', full),
  row('busy-503', 'trouble', '8', 'one request in eight is 503 with Retry-After', full),
  row('busy-429-date', 'trouble', '8', 'one request in twenty is 429; Retry-After is a date', full),
  row('lost-answers', 'trouble', '7', 'one answer to a write in six is lost after the work was done', full),
  row('wrong-answers', 'trouble', '7', 'one answer to a write in six is 500 after the work was done', full),
  row('slow', 'trouble', '7', 'answers take up to 40 ms, in any order', full),
] as const;

/** One row: `name` and the rest keep their literal types. */
function row<const Name extends string>(
  name: Name,
  about: string,
  section: string,
  does: string,
  use: Row['use'],
  settings?: string,
): Row & { readonly name: Name } {
  return settings === undefined ? { name, about, section, does, use } : { name, about, section, does, use, settings };
}

export type SwitchName = (typeof switches)[number]['name'];

export const switchNames: readonly SwitchName[] = switches.map(({ name }) => name);

export function isSwitch(name: string): name is SwitchName {
  return switchNames.some((one) => one === name);
}

export function rowsOf(names: readonly SwitchName[]): readonly Row[] {
  return switches.filter(({ name }) => names.includes(name));
}

/** Steps in which a command may be refused. */
export function limitsOf(names: readonly SwitchName[]): readonly string[] {
  const own = rowsOf(names).flatMap(({ use }) => (typeof use === 'string' ? [] : use));
  const hasNoList = names.some((name) => name === 'no-collections' || name === 'collections-404');
  const hasNoQuery = names.some((name) =>
    /^(no-query|query-(405|500|html|empty|equals-only|ignores-unknown))$/.test(name),
  );
  // Only the links of items in a query of the org name their GVC; an item that is a name has no links.
  const hasNoLinks = names.some((name) => /^(links-none|links-empty|items-are-names)$/.test(name));
  return hasNoList && (hasNoQuery || hasNoLinks) ? [...own, ...needsTheWhole] : own;
}

/** A seeded source of numbers below 1. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Whether a stack can be used at all. */
function isLively(use: Row['use']): boolean {
  return typeof use === 'string' ? use === 'full' : !use.includes('apply');
}

/** With both, no `false` of the project can be stored: the first apply reports it, and stops. */
const impossible: readonly (readonly SwitchName[])[] = [['false-dropped', 'default-capacityAI']];

/** Two to four switches of different subjects, none of which makes the platform unusable. */
export function combination(seed: number): readonly SwitchName[] {
  const random = randomFrom(seed);
  const usable = switches.filter(({ use }) => isLively(use));
  const chosen = new Map<string, SwitchName>();
  const count = 2 + Math.floor(random() * 3);
  const isPossible = (name: SwitchName): boolean =>
    !impossible.some((pair) => pair.includes(name) && [...chosen.values()].some((other) => pair.includes(other)));
  while (chosen.size < count) {
    const one = usable[Math.floor(random() * usable.length)];
    if (one !== undefined && !chosen.has(one.about) && isPossible(one.name)) chosen.set(one.about, one.name);
  }
  return [...chosen.values()];
}
