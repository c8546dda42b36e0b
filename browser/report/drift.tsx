import type { VNode } from 'preact';
import { isDrifted } from '../../src/change/drift/drift.ts';
import type { PageData } from '../../src/report/pageData.ts';
import { ResourceName } from './parts/badges.tsx';
import { Fields } from './parts/fields.tsx';
import { counted, seen, Text } from './parts/text.tsx';

type Drift = PageData['drifts'][number];

interface Props {
  readonly drift: Drift;
  /** There are other stacks besides. */
  readonly titled: boolean;
  readonly printing: boolean;
}

/** What each state means. */
const states: Readonly<Record<Drift['resources'][number]['state'], string>> = {
  untouched: 'unchanged since this stack last wrote it',
  touched: 'written by others since',
  'left-alone': 'written by others, where apply changes nothing',
  risen: 'at a newer version',
  recreated: 'deleted and created anew by others',
  unrecorded: 'it does not say what this stack wrote last',
  copy: 'its tags were written for another resource',
  'owner-lost': 'the tag that names its stack was removed',
  'other-owner': 'another stack owns it',
  unfinished: 'a write of this stack was not finished',
  deleted: 'deleted by others',
  hidden: 'this token cannot see it',
};

/** What others did since the last apply: what drifted is open, what apply leaves alone is closed, the rest is counted. */
export function DriftView({ drift: { resources, stack }, titled, printing }: Props): VNode {
  const drifted = resources.filter(isDrifted);
  const leftAlone = resources.filter(({ state, orphaned }) => state === 'left-alone' && !orphaned);
  const untouched = resources.length - drifted.length - leftAlone.length;
  return (
    <section aria-label={`Drift of ${stack}`}>
      <h2>
        {titled && (
          <>
            <Text of={stack} />:{' '}
          </>
        )}
        {drifted.length === 0 ? 'Nothing drifted' : `${counted(drifted.length, 'resource')} drifted`}
      </h2>
      <p class="hint">
        {counted(untouched, 'resource')} as the last apply left {untouched === 1 ? 'it' : 'them'}.
      </p>
      <div class="changes">
        {drifted.map((resource) => (
          <Drifted key={resource.id} resource={resource} printing={printing} open />
        ))}
      </div>
      {leftAlone.length > 0 && <h3>Left alone: no apply changes it</h3>}
      <div class="changes">
        {leftAlone.map((resource) => (
          <Drifted key={resource.id} resource={resource} printing={printing} open={printing} />
        ))}
      </div>
    </section>
  );
}

interface DriftedProps {
  readonly resource: Drift['resources'][number];
  readonly printing: boolean;
  readonly open: boolean;
}

function Drifted({ resource, printing, open }: DriftedProps): VNode {
  const { id, state, orphaned, writes, fields, leftAlone = [], secretsUnknown } = resource;
  const tag = state === 'left-alone' ? 'tag' : state === 'touched' ? 'tag warn' : 'tag bad';
  return (
    <article class="change patch" aria-label={seen(`${state} ${id}`)}>
      <details open={open}>
        <summary>
          <span class={tag}>{state}</span>
          <h3>
            <ResourceName id={id} />
          </h3>
          <span class="reason">
            {states[state]}
            {orphaned && ', and no manifest declares it'}
          </span>
        </summary>
        <div class="body">
          <Writes writes={writes} printing={printing} />
          {fields !== null && fields.length > 0 && writes?.length !== 1 && (
            <div class="part">
              <h4>All of them together</h4>
              <Fields fields={fields} printing={printing} />
            </div>
          )}
          {leftAlone.length > 0 && state !== 'left-alone' && (
            <div class="part">
              <h4>Left alone: no apply changes it</h4>
              <Fields fields={leftAlone} printing={printing} />
            </div>
          )}
          {secretsUnknown === true && <p class="hint">Values of secrets may have changed too.</p>}
        </div>
      </details>
    </article>
  );
}

function Writes({
  writes,
  printing,
}: {
  readonly writes: Drift['resources'][number]['writes'];
  readonly printing: boolean;
}): VNode {
  if (writes === null) return <p class="hint">Who wrote is not known: the audit trail cannot be read.</p>;
  return (
    <ul class="writes">
      {writes.map(({ action, version, at, by, fields }) => (
        <li key={version}>
          <p>
            <strong>
              <Text of={by.name} />
            </strong>{' '}
            <Text of={`(${by.type}): ${action}, version ${version}, ${at}`} />
          </p>
          <Fields fields={fields} printing={printing} />
        </li>
      ))}
    </ul>
  );
}
