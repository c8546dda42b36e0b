import type { VNode } from 'preact';
import type { PageData } from '../../src/report/pageData.ts';
import { refusalNode } from '../../src/report/tree/tree.ts';
import { ActionBadge, Place, ResourceName, RiskBadge } from './parts/badges.tsx';
import { Difference } from './parts/fields.tsx';
import { JsonBody } from './parts/jsonBody.tsx';
import { Notes } from './parts/notes.tsx';
import { ProofView } from './parts/proof.tsx';
import { Text } from './parts/text.tsx';
import { ProblemView } from './parts/tree.tsx';

type Explanation = NonNullable<PageData['explanation']>;

interface Props {
  readonly explanation: Explanation;
  readonly printing: boolean;
}

/** Why one resource is planned as it is. */
export function ExplanationView({ explanation, printing }: Props): VNode {
  const { resource, action, intended, reason, risk, refusals, requests, proof, fields, equal, notes } = explanation;
  return (
    <section class="panel explanation" aria-labelledby="explanation-title">
      <h2 id="explanation-title">
        <ActionBadge action={action} intended={intended} /> <ResourceName id={resource} /> <RiskBadge risk={risk} />
      </h2>
      <p>
        <Text of={reason} />
      </p>
      {refusals.map((refusal, index) => (
        <div class="callout bad" key={index}>
          <ProblemView of={refusalNode(refusal)} />
        </div>
      ))}
      <FieldTable title="What differs" fields={fields} printing={printing} />
      <FieldTable title="What does not differ, and why" fields={equal} printing={printing} />
      {requests.map(({ method, body }, index) => (
        <div class="part" key={index}>
          <h3 class="part-title">{method}</h3>
          {body !== undefined && <JsonBody body={body} printing={printing} />}
        </div>
      ))}
      {proof !== undefined && <ProofView proof={proof} />}
      <Notes of={notes} />
    </section>
  );
}

interface FieldTableProps {
  readonly title: string;
  readonly fields: Explanation['fields'];
  readonly printing: boolean;
}

function FieldTable({ title, fields, printing }: FieldTableProps): VNode | null {
  if (fields.length === 0) return null;
  return (
    <div class="part">
      <h3 class="part-title">{title}</h3>
      <ul class="fields">
        {fields.map(({ path, because, at, risk, writer, live, declared }, index) => (
          <li key={index}>
            <div class="field-head">
              <code class="field-path">
                <Text of={path} />
              </code>
              <RiskBadge risk={risk} />
              {at !== undefined && <Place at={at} />}
            </div>
            <p>
              <Text of={because} />
              {writer !== undefined && writer !== null && (
                <span class="cause">
                  {' '}
                  <Text of={`Written by ${writer.name} at ${writer.at}.`} />
                </span>
              )}
            </p>
            <Difference before={live} after={declared} printing={printing} />
          </li>
        ))}
      </ul>
    </div>
  );
}
