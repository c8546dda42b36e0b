import type { VNode } from 'preact';
import type { PageData } from '../../src/report/pageData.ts';
import { Code, Place, ResourceName } from './parts/badges.tsx';
import { counted, Text } from './parts/text.tsx';

type ReportedError = NonNullable<PageData['error']>;

/** What a command ended with. */
export function ErrorView({ error }: { readonly error: ReportedError }): VNode {
  return (
    <section class="panel bad" aria-labelledby="error-title">
      <h2 id="error-title">What went wrong</h2>
      <Cause cause={error} />
      {error.causes.length > 0 && (
        <ul class="reasons">
          {error.causes.map((cause, index) => (
            <li key={index}>
              <Cause cause={cause} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Cause({
  cause: { code, message, hint, resource, place },
}: {
  readonly cause: Omit<ReportedError, 'causes'>;
}): VNode {
  return (
    <>
      <p>
        <Code of={code} /> {resource !== undefined && <ResourceName id={resource} />}{' '}
        <span class="lines">
          <Text of={message} />
        </span>
      </p>
      {hint !== undefined && (
        <p class="hint">
          <Text of={hint} />
        </p>
      )}
      {place !== undefined && <Place at={place} />}
    </>
  );
}

/** What is wrong with manifests, errors first. */
export function ProblemsView({ problems }: Pick<PageData, 'problems'>): VNode {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity !== 'error');
  return (
    <section class="panel" aria-labelledby="problems-title">
      <h2 id="problems-title">
        {[
          ...(errors.length === 0 ? [] : [counted(errors.length, 'error')]),
          ...(warnings.length === 0 ? [] : [counted(warnings.length, 'warning')]),
        ].join(', ')}{' '}
        in manifests
      </h2>
      <ul class="reasons">
        {[...errors, ...warnings].map((problem, index) => (
          <li key={index}>
            <p>
              <span class={problem.severity === 'error' ? 'tag bad' : 'tag warn'}>{problem.severity}</span>{' '}
              {problem.resource !== undefined && <ResourceName id={problem.resource} />}{' '}
              <code>
                <Text of={problem.path} />
              </code>{' '}
              <Text of={problem.message} /> <Code of={problem.rule} />
            </p>
            {problem.hint !== undefined && (
              <p class="hint">
                <Text of={problem.hint} />
              </p>
            )}
            <Place at={problem} />
          </li>
        ))}
      </ul>
    </section>
  );
}
