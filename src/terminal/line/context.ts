import type { Explainable } from '../../change/explain/explainChange.ts';
import type { StackNote } from '../../integrations/notification.ts';
import type { Surroundings } from '../../project/session/session.ts';
import type { Answer } from '../answer/answer.ts';
import type { Terminal } from '../terminal.ts';
import type { GlobalOptions, OutputOptions } from './options.ts';

/** What a command works with: effects arrive as arguments, the result is an `Ending`. */
export interface CommandContext<O extends OutputOptions = GlobalOptions> extends Surroundings {
  readonly options: O;
  readonly terminal: Terminal;
  readonly answer: Answer;
  /** Absent: no report was asked for. */
  readonly reports?: ReportNotes;
  /** Told of each stack that the command is about, for whoever is notified; absent: nobody is. */
  readonly onStack?: (note: StackNote) => void;
}

/** What reports say beside what is said to programs. */
export interface ReportNotes {
  /** What each PATCH of this plan is proven to do. */
  prove(planned: Explainable): Promise<void>;
}
