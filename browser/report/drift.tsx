import type { VNode } from 'preact';
import type { PageData } from '../../src/report/html/pageData.ts';
import { ResourceName } from './parts/badges.tsx';
import { Fields } from './parts/fields.tsx';
import { counted, seen, Text } from './parts/text.tsx';

type Drift = NonNullable<PageData['drift']>;

interface Props {
  readonly drift: Drift;
  readonly printing: boolean;
}

/** What each state means. */
const states: Readonly<Record<Drift['resources'][number]['state'], string>> = {
  untouched: 'unchanged since this stack last wrote it',
  touched: 'written by others since',
  recreated: 'deleted and created anew by others',
  unrecorded: 'it does not say what this stack wrote last',
  copy: 'its tags were written for another resource',
  'owner-lost': 'the tag that names its stack was removed',
  'other-owner': 'another stack owns it',
  unfinished: 'a write of this stack was not finished',
  deleted: 'deleted by others',
  hidden: 'this token cannot see it',
};

/** What others did since the last apply: what drifted is open, the rest is counted. */
export function DriftView({ drift: { resources }, printing }: Props): VNode {
  const drifted = resources.filter(({ state, orphaned }) => state !== 'untouched' || orphaned);
  const untouched = resources.length - drifted.length;
  return (
    <section aria-labelledby="drift-title">
      <h2 id="drift-title">
        {drifted.length === 0 ? 'Nothing drifted' : `${counted(drifted.length, 'resource')} drifted`}
      </h2>
      <p class="hint">
        {counted(untouched, 'resource')} as the last apply left {untouched === 1 ? 'it' : 'them'}.
      </p>
      <div class="changes">
        {drifted.map((resource) => (
          <article key={resource.id} class="change patch" aria-label={seen(`${resource.state} ${resource.id}`)}>
            <details open>
              <summary>
                <span class={resource.state === 'touched' ? 'tag warn' : 'tag bad'}>{resource.state}</span>
                <h3>
                  <ResourceName id={resource.id} />
                </h3>
                <span class="reason">
                  {states[resource.state]}
                  {resource.orphaned && ', and no manifest declares it'}
                </span>
              </summary>
              <div class="body">
                <Writes writes={resource.writes} printing={printing} />
                {resource.fields !== null && resource.fields.length > 0 && resource.writes?.length !== 1 && (
                  <div class="part">
                    <h4>All of them together</h4>
                    <Fields fields={resource.fields} printing={printing} />
                  </div>
                )}
                {resource.secretsUnknown === true && <p class="hint">Values of secrets may have changed too.</p>}
              </div>
            </details>
          </article>
        ))}
      </div>
    </section>
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
