import type { ComponentChildren, VNode } from 'preact';
import { isObject, type JsonObject, listAt, numberAt, objectAt, stringAt } from '../../src/base/json/json.ts';
import { runs } from '../../src/kinds/kindFacts.ts';
import { hrefOf } from '../../src/schema/record/hrefOf.ts';
import { When } from '../live/shown.tsx';
import { toneClass } from '../report/parts/badges.tsx';
import { Text } from '../report/parts/text.tsx';
import { addressOf } from './address.ts';
import { type Health, healthCounts, healthOf } from './health.ts';

/** The link of a record on the platform. */
export function linkOfRecord(record: JsonObject): string {
  return hrefOf(record, 'self') ?? '';
}

export function HealthBadge({ of: health }: { readonly of: Health | undefined }): VNode | null {
  if (health === undefined) return null;
  return (
    <span class={`tag ${toneClass[health.tone]}`}>
      <Text of={health.word} />
    </span>
  );
}

export function HealthCounts({ of: records }: { readonly of: readonly JsonObject[] }): VNode {
  return (
    <>
      {healthCounts(records).map(({ word, tone, count }) => (
        <span key={word} class={`tag ${toneClass[tone]}`}>
          {count.toLocaleString('en')} <Text of={word} />
        </span>
      ))}
    </>
  );
}

/** A name that links to its record. */
export function RecordLink({ to, children }: { readonly to: string; readonly children: ComponentChildren }): VNode {
  return <a href={addressOf(to)}>{children}</a>;
}

interface RowsProps {
  readonly of: readonly JsonObject[];
  readonly more?: boolean;
}

/** Records as rows: name, health, time of the last change. */
export function Rows({ of: records, more = false }: RowsProps): VNode {
  return (
    <>
      <ul class="rows">
        {records.map((record) => {
          const link = linkOfRecord(record);
          return (
            <li key={link}>
              <RecordLink to={link}>
                <strong>
                  <Text of={stringAt(record, 'name') ?? ''} />
                </strong>
              </RecordLink>
              <HealthBadge of={healthOf(record)} />
              <span class="brief">
                <Text of={briefOf(record)} />
              </span>
              <span class="hint">
                version {numberAt(record, 'version') ?? '?'}, <When at={stringAt(record, 'lastModified')} />
              </span>
            </li>
          );
        })}
      </ul>
      {records.length === 0 && <p class="hint">There are none.</p>}
      {more && <p class="hint">There are more than these {records.length.toLocaleString('en')}.</p>}
    </>
  );
}

/** The most useful value in a list of its kind. */
function briefOf(record: JsonObject): string {
  if (runs(record['kind'])) {
    const { spec, health } = { spec: objectAt(record, 'spec'), health: objectAt(record, 'health') };
    const images = listAt(spec, 'containers').flatMap((each) =>
      isObject(each) ? (stringAt(each, 'image') ?? []) : [],
    );
    const replicas = `${numberAt(health, 'readyReplicas') ?? 0} of ${numberAt(health, 'totalReplicas') ?? 0} replicas`;
    return [stringAt(spec, 'type'), replicas, images.join(', ')].filter(Boolean).join(' · ');
  }
  const description = stringAt(record, 'description') ?? '';
  return description === stringAt(record, 'name') ? '' : description;
}
