import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type JsonObject, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { customShape, shapeOf } from '../../src/kinds/shapeOf.ts';
import { type FieldChange, fieldChanges } from '../../src/patch/fieldChanges.ts';
import { bySchema } from '../../src/patch/shouldMask.ts';
import { hrefOf } from '../../src/schema/record/hrefOf.ts';
import { knownKind } from '../../src/schema/record/kinds.ts';
import { Shown, When } from '../live/shown.tsx';
import { useLive } from '../live/useLive.ts';
import { Choice } from '../report/parts/choice.tsx';
import { Difference } from '../report/parts/fields.tsx';
import { counted, Text } from '../report/parts/text.tsx';
import type { SideProps } from './sideProps.ts';

/** The maximum number of events: a record may have more versions than a user compares. */
const mostEvents = 200;

/** Two versions of a record side by side, with their writers. */
export function Versions({ place, record }: SideProps): VNode {
  const id = stringAt(record, 'id') ?? '';
  const path = `/audit/org/${encodeURIComponent(place.org)}/resource/id/${encodeURIComponent(id)}`;
  const live = useLive(path, (api, signal) => api.list(path, signal, mostEvents));
  return (
    <Shown of={live}>
      {({ items, more }) => <Compared versions={versionsOf(items.map(writtenOf))} kind={place.kind} more={more} />}
    </Shown>
  );
}

interface ComparedProps {
  readonly versions: readonly Version[];
  readonly kind: string;
  readonly more: boolean;
}

function Compared({ versions, kind, more }: ComparedProps): VNode {
  // The last two, updated with later ones until the user selects.
  const [chosen, choose] = useState<{ readonly older: number; readonly newer: number }>();
  const newer = versions.find(({ version }) => version === chosen?.newer) ?? versions[0];
  const before = versions.find(({ version }) => version < (newer?.version ?? 0));
  const older = versions.find(({ version }) => version === chosen?.older) ?? before;
  if (newer === undefined) return <p class="hint">The audit trail has no version of it.</p>;
  const set = (part: Partial<{ older: number; newer: number }>): void =>
    choose({ older: older?.version ?? 0, newer: newer.version, ...part });
  return (
    <>
      <div class="compared">
        <Side
          word="Older"
          name="older"
          of={older}
          versions={versions}
          onChoose={(version) => set({ older: version })}
        />
        <Side
          word="Newer"
          name="newer"
          of={newer}
          versions={versions}
          onChoose={(version) => set({ newer: version })}
        />
      </div>
      {older === undefined ? (
        <p class="hint">There is no version before it in the audit trail.</p>
      ) : (
        <Differences kind={kind} before={older.record} after={newer.record} />
      )}
      <h2>Who wrote it</h2>
      <ul class="rows">
        {versions.map((each, index) => (
          <li key={each.version}>
            <strong>Version {each.version}</strong>
            <When at={each.at} />
            <span class="tag plain">{each.action}</span>
            <span class="brief">
              by <Text of={each.who} />
            </span>
            {versions[index + 1] !== undefined && (
              <button
                type="button"
                class="quiet"
                onClick={() => choose({ older: versions[index + 1]?.version ?? 0, newer: each.version })}
              >
                Compare with version {versions[index + 1]?.version}
              </button>
            )}
          </li>
        ))}
      </ul>
      {more && <p class="hint">There are older versions, which are not shown here.</p>}
    </>
  );
}

interface VersionSideProps {
  readonly word: string;
  readonly name: string;
  readonly of: Version | undefined;
  readonly versions: readonly Version[];
  readonly onChoose: (version: number) => void;
}

function Side({ word, name, of: shown, versions, onChoose }: VersionSideProps): VNode {
  return (
    <div class="card">
      <Choice
        {...{ word, name }}
        value={String(shown?.version ?? '')}
        options={[
          ...(shown === undefined ? [['', 'none'] as const] : []),
          ...versions.map(({ version }) => [String(version), `version ${version}`] as const),
        ]}
        onChoose={(version) => onChoose(Number(version))}
      />
      {shown !== undefined && (
        <p>
          {shown.action} by <Text of={shown.who} />, <When at={shown.at} />
        </p>
      )}
    </div>
  );
}

function Differences({
  kind,
  before,
  after,
}: {
  readonly kind: string;
  readonly before: JsonObject;
  readonly after: JsonObject;
}): VNode {
  const fields = differencesOf(kind, before, after);
  return (
    <>
      <h2>{fields.length === 1 ? '1 field differs' : `${counted(fields.length, 'field')} differ`}</h2>
      <ul class="fields">
        {fields.map((field) => (
          <li key={field.path}>
            <div class="field-head">
              <code class="field-path">
                <Text of={field.path} />
              </code>
            </div>
            <Difference before={field.old} after={field.new} printing={false} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** One event of the audit trail. */
export interface Written {
  readonly id: string;
  readonly at: string;
  readonly action: string;
  readonly who: string;
  readonly from: string;
  /** `OK`, or why it was refused. */
  readonly result: string;
  readonly message: string;
  readonly kind: string;
  readonly name: string;
  /** The record after the event, without values of secrets. */
  readonly record: JsonObject;
  readonly link: string | undefined;
  /** The type of a command. */
  readonly command: string | undefined;
}

export function writtenOf(event: JsonObject): Written {
  const [resource, subject, context, result, action] = ['resource', 'subject', 'context', 'result', 'action'].map(
    (part) => objectAt(event, part),
  );
  const record = objectAt(resource ?? {}, 'data');
  return {
    id: stringAt(event, 'id') ?? '',
    at: stringAt(event, 'eventTime') ?? '',
    action: stringAt(action ?? {}, 'type') ?? '',
    who: stringAt(subject ?? {}, 'name') ?? stringAt(subject ?? {}, 'email') ?? '',
    from: stringAt(context ?? {}, 'remoteIp') ?? '',
    result: stringAt(result ?? {}, 'status') ?? '',
    message: stringAt(result ?? {}, 'message') ?? '',
    kind: stringAt(resource ?? {}, 'type') ?? '',
    name: stringAt(resource ?? {}, 'name') ?? '',
    record,
    link: hrefOf(record, 'self'),
    command: stringAt(objectAt(action ?? {}, 'data'), 'type'),
  };
}

interface Version extends Written {
  readonly version: number;
}

/** The versions in the events of a record, newest first: each with its event. */
function versionsOf(events: readonly Written[]): readonly Version[] {
  const made = events.flatMap((event) => {
    const version = numberAt(event.record, 'version');
    const wrote = event.result === 'OK' && event.action !== 'exec' && event.action !== 'delete';
    return wrote && version !== undefined ? [{ ...event, version }] : [];
  });
  return [...Map.groupBy(made, ({ version }) => version).values()]
    .flatMap((same) => same.at(-1) ?? [])
    .toSorted((a, b) => b.version - a.version);
}

/** The differences between two versions of a record, field by field, as in a plan. */
function differencesOf(kind: string, before: JsonObject, after: JsonObject): readonly FieldChange[] {
  const known = knownKind(kind);
  // The page does not know kinds that the server's users defined.
  const shape = known === undefined ? customShape(undefined) : shapeOf(known, after);
  return fieldChanges(bySchema(shape), contentOf(before), contentOf(after));
}

/** The content from users, without the metadata of the version. */
function contentOf(record: JsonObject): JsonObject {
  const { id, kind, version, created, lastModified, links, status, health, ...content } = record;
  return content;
}
