import { isObject, type JsonObject, own, stringAt } from '../../base/json/json.ts';
import { withArticle } from '../../base/text/article.ts';
import { type Kind, writtenKinds } from '../../schema/record/kinds.ts';
import { show } from '../../schema/rules/reading.ts';
import { type Report, type RuleOf, recordRules, type Subject } from '../../schema/rules/rule.ts';

/** Lower-case letters, digits and `-`; begins with a letter, does not end with `-` (platform/concepts.names). */
export const namePattern = /^[a-z][-a-z0-9]*[a-z0-9]$/;

interface Named {
  readonly record: JsonObject;
}

interface NameWords {
  /** For example `a GVC`. */
  readonly of: string;
  /** For example `a GVC name`. */
  readonly whose: string;
  readonly most?: number;
}

export function checkName({ record }: Named, { of, whose, most = 64 }: NameWords, report: Report): void {
  const name = stringAt(record, 'name');
  if (name === undefined) return;
  if (!namePattern.test(name)) report(['name'], `${show(name)} is not a valid name for ${of}`);
  else if (name.length < 3 || name.length > most) {
    report(['name'], `${show(name)} has ${name.length} characters; ${whose} must have 3 to ${most}`);
  }
}

export function checkSameName(before: Named, after: Named, report: Report): void {
  const [was, is] = [stringAt(before.record, 'name'), stringAt(after.record, 'name')];
  if (was !== undefined && is !== undefined && was !== is) {
    report(['name'], `the name ${show(was)} cannot be changed to ${show(is)}`);
  }
}

const otherNames: RuleOf<Subject> = {
  id: 'name.form',
  section: 'concepts.names',
  title:
    'A name has 3 to 64 lower-case letters, digits and hyphens, begins with a letter, and does not end with a hyphen.',
  severity: 'error',
  fix: 'Use 3 to 64 lower-case letters, digits and "-", a letter first.',
  record(subject, report) {
    const of = withArticle(subject.kind);
    checkName(subject, { of, whose: `a name of ${of}` }, report);
  },
};

const sameName: RuleOf<Subject> = {
  id: 'name.immutable',
  section: 'concepts.names',
  title: 'A name cannot be changed.',
  severity: 'error',
  fix: 'Delete the resource and create one with the new name.',
  change: checkSameName,
};

const sameKind: RuleOf<Subject> = {
  id: 'kind.match',
  section: 'concepts.record',
  title: 'The kind in a record is the kind of its path.',
  severity: 'error',
  fix: 'Leave "kind" out, or send the record to the collection of its kind.',
  record({ kind, record }, report) {
    const stated = own(record, 'kind');
    if (typeof stated === 'string' && stated !== kind)
      report(['kind'], `the kind must be ${show(kind)}, not ${show(stated)}`);
  },
};

const maxDescription = 250;

const descriptionLength: RuleOf<Subject> = {
  id: 'description.length',
  section: 'concepts.description',
  title: `A description has at most ${maxDescription} characters.`,
  severity: 'error',
  fix: `Shorten it to ${maxDescription} characters.`,
  record({ record }, report) {
    reportLength(record, (message) => report(['description'], message));
  },
};

/** The same limit, under its id for domains. */
const domainDescription: RuleOf<Subject> = {
  id: 'D1',
  section: 'concepts.description',
  title: `The description of a domain has at most ${maxDescription} characters.`,
  severity: 'error',
  fix: `Shorten it to ${maxDescription} characters.`,
  record({ record }, report) {
    reportLength(record, (message) => report(['description'], message));
  },
};

function reportLength(record: JsonObject, report: (message: string) => void): void {
  const description = stringAt(record, 'description');
  if (description !== undefined && description.trim().length > maxDescription) {
    report(`the description has ${description.trim().length} characters, at most ${maxDescription} are allowed`);
  }
}

/** The platform trims it, so outer white space would be lost. */
const descriptionTrimmed: RuleOf<Subject> = {
  id: 'description.trimmed',
  section: 'concepts.description',
  title: 'A description neither begins nor ends with white space.',
  severity: 'error',
  where: 'offline',
  fix: 'Remove the white space at both ends (in YAML, ">-" and "|-" leave no line break at the end).',
  record({ record }, report) {
    const description = stringAt(record, 'description');
    if (description !== undefined && description !== description.trim()) {
      report(['description'], 'the description must not begin or end with white space');
    }
  },
};

/** 50 in total, two of which are reserved for Gantry (platform/concepts.tags). */
export const maxTags = 50;
const maxUserTags = 48;
const maxTagKey = 128;
const maxTagValue = 4096;

function tagKeys(record: JsonObject): readonly string[] {
  const tags = own(record, 'tags');
  return isObject(tags) ? Object.keys(tags) : [];
}

const tagCount: RuleOf<Subject> = {
  id: 'tags.count',
  section: 'concepts.tags',
  title: `A record has at most ${maxTags} tags.`,
  severity: 'error',
  fix: `Remove tags until ${maxTags} remain.`,
  record({ record }, report) {
    const { length } = tagKeys(record);
    if (length > maxTags) report(['tags'], `${length} tags, at most ${maxTags} are allowed`);
  },
};

const userTagCount: RuleOf<Subject> = {
  id: 'tags.user-count',
  section: 'concepts.tags',
  title: `A manifest has at most ${maxUserTags} tags; two are reserved for Gantry.`,
  severity: 'error',
  where: 'offline',
  fix: `Remove tags until ${maxUserTags} remain.`,
  record({ record }, report) {
    const { length } = tagKeys(record);
    if (length > maxUserTags && length <= maxTags) {
      report(['tags'], `${length} tags, at most ${maxUserTags} can be set (Gantry adds two of its own)`);
    }
  },
};

const tagKeyLength: RuleOf<Subject> = {
  id: 'tags.key-length',
  section: 'concepts.tags',
  title: `The key of a tag has 1 to ${maxTagKey} characters.`,
  severity: 'error',
  fix: `Use a key of 1 to ${maxTagKey} characters.`,
  record({ record }, report) {
    for (const key of tagKeys(record)) {
      if (key === '') report(['tags', key], 'the key of a tag must not be empty');
      else if (key.length > maxTagKey) {
        report(
          ['tags', key],
          `the tag key ${show(key)} has ${key.length} characters, at most ${maxTagKey} are allowed`,
        );
      }
    }
  },
};

const tagValueLength: RuleOf<Subject> = {
  id: 'tags.value-length',
  section: 'concepts.tags',
  title: `The value of a tag has at most ${maxTagValue} characters.`,
  severity: 'error',
  fix: 'Shorten the value.',
  record({ record }, report) {
    const tags = own(record, 'tags');
    if (!isObject(tags)) return;
    for (const [key, value] of Object.entries(tags)) {
      if (typeof value === 'string' && value.length > maxTagValue) {
        report(
          ['tags', key],
          `the tag ${show(key)} has ${value.length} characters, at most ${maxTagValue} are allowed`,
        );
      }
    }
  },
};

const ownTags: RuleOf<Subject> = {
  id: 'tags.reserved',
  section: 'concepts.tags',
  title: 'Tags under gantry/ belong to Gantry.',
  severity: 'error',
  where: 'offline',
  fix: 'Remove the tag, or use another prefix.',
  record({ record }, report) {
    for (const key of tagKeys(record)) {
      if (key.startsWith('gantry/'))
        report(['tags', key], `the tag ${show(key)} has a prefix that is reserved for Gantry`);
    }
  },
};

function except(...kinds: readonly Kind[]): readonly Kind[] {
  return writtenKinds.filter((kind) => !kinds.includes(kind));
}

/** Kinds not in these lists have the same rules under other ids. */
export const nameRules = recordRules(except('domain', 'gvc', 'org', 'workload'), [otherNames]);
export const sameNameRules = recordRules(except('gvc'), [sameName]);
export const descriptionRules = recordRules(except('domain'), [descriptionLength]);

export const envelopeRules = recordRules(writtenKinds, [
  sameKind,
  descriptionTrimmed,
  tagCount,
  userTagCount,
  tagKeyLength,
  tagValueLength,
  ownTags,
]);

export const domainEnvelopeRules = recordRules(['domain'], [domainDescription]);
