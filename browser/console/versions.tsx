import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type JsonObject, stringAt } from '../../src/base/json/json.ts';
import { Shown } from '../live/shown.tsx';
import { useLive } from '../live/useLive.ts';
import { When } from '../live/when.tsx';
import { Choice } from '../report/parts/choice.tsx';
import { Difference } from '../report/parts/fields.tsx';
import { counted, Text } from '../report/parts/text.tsx';
import type { SideProps } from './sideProps.ts';
import { differencesOf, type Version, versionsOf, writtenOf } from './versions.ts';

/** Events that are looked at: a record may have more versions than anybody compares. */
const mostEvents = 200;

/** Two versions of a record side by side, and who wrote each. */
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
  // The last two, and later ones as they come, until somebody chooses.
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
