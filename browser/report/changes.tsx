import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageChange } from '../../src/report/pageData.ts';
import { ActionBadge, ResourceName, RiskBadge } from './parts/badges.tsx';
import { Near } from './parts/near.tsx';
import { seen, Text } from './parts/text.tsx';
import { Nodes, type Openness } from './parts/tree.tsx';

export interface ChangeContext {
  readonly printing: boolean;
  /** The last choice for all; undefined if there was none. */
  readonly all: Openness | undefined;
  readonly onOpen: (id: string) => void;
  /** Absent if there is no picture. */
  readonly onShow: ((id: string) => void) | undefined;
}

/** A change to be opened and scrolled to; a new object each time. */
export interface Target {
  readonly id: string;
}

interface Props {
  readonly changes: readonly PageChange[];
  readonly target: Target | undefined;
  readonly context: ChangeContext;
}

/** The number of rows that are rendered together when they come near the viewport. */
const blockSize = 50;

/** The changes, rendered only as far as the user scrolls: of ten thousand the page shows thirty. */
export function Changes({ changes, target, context }: Props): VNode {
  const blocks = Array.from({ length: Math.ceil(changes.length / blockSize) }, (_, index) =>
    changes.slice(index * blockSize, (index + 1) * blockSize),
  );
  return (
    <div role="feed" class="changes" aria-label="Changes">
      {blocks.map((block, index) => (
        <Block
          key={block[0]?.id}
          {...{ block, target, context }}
          first={index * blockSize}
          total={changes.length}
          atOnce={index === 0}
        />
      ))}
    </div>
  );
}

interface BlockProps extends Omit<Props, 'changes'> {
  readonly block: readonly PageChange[];
  readonly first: number;
  readonly total: number;
  readonly atOnce: boolean;
}

function Block({ block, first, total, target, context, atOnce }: BlockProps): VNode {
  const wanted = target !== undefined && block.some(({ id }) => id === target.id);
  return (
    <Near rows={block.length} made={atOnce || wanted || context.printing}>
      {() =>
        block.map((change, index) => (
          <Row
            key={change.id}
            {...{ change, context }}
            target={target?.id === change.id ? target : undefined}
            position={first + index + 1}
            total={total}
          />
        ))
      }
    </Near>
  );
}

interface RowProps {
  readonly change: PageChange;
  readonly target: Target | undefined;
  readonly position: number;
  readonly total: number;
  readonly context: ChangeContext;
}

function Row({ change, target, position, total, context }: RowProps): VNode {
  const summary = useRef<HTMLElement>(null);
  const { id, action, intended, risk, reason, brief, children } = change;
  const { printing, all, onOpen, onShow } = context;
  const [open, setOpen] = useState(all?.open === true);
  useEffect(() => {
    if (all !== undefined) setOpen(all.open);
  }, [all]);
  useEffect(() => {
    if (target === undefined) return;
    setOpen(true);
    summary.current?.focus({ preventScroll: true });
    summary.current?.scrollIntoView({ block: 'start' });
  }, [target]);
  const shown = open || printing;
  return (
    <article
      class={`change ${action}`}
      aria-label={seen(`${action} ${id}`)}
      aria-posinset={position}
      aria-setsize={total}
    >
      <details open={shown} onToggle={(event) => !printing && setOpen(event.currentTarget.open)}>
        <summary ref={summary}>
          <ActionBadge action={action} intended={intended} />
          <h3>
            <ResourceName id={id} />
          </h3>
          <span class="reason">
            <Text of={brief === '' ? reason : brief} />
          </span>
          <RiskBadge risk={risk} />
        </summary>
        {shown && (
          <div class="body">
            <Nodes of={children} printing={printing} onOpen={onOpen} />
            {onShow !== undefined && (
              <p class="no-print">
                <button type="button" class="quiet" onClick={() => onShow(id)}>
                  Show in the picture
                </button>
              </p>
            )}
          </div>
        )}
      </details>
    </article>
  );
}
