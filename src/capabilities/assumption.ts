/** Something that Gantry assumes of a platform. */
export type Assumption = Learnable | NotLearnable;

interface Row {
  /** A sentence that states the assumption. */
  readonly assumed: string;
  /** The section of the specification that leaves it open. */
  readonly section: string;
  /**
   * The evidence: `observed` on an installation, `documented` for this service elsewhere, or `proposed`, which is only
   * likely.
   */
  readonly evidence: 'observed' | 'documented' | 'proposed';
  /** A sentence that states what Gantry does if the assumption is wrong. */
  readonly otherwise: string;
  /** A platform without it cannot be used at all. */
  readonly needed?: true;
  /**
   * Each run tests it anew, regardless of saved findings: an outdated one could cause a wrong change. `holds`: only a
   * positive finding is tested anew; a negative one makes runs more careful, and is kept.
   */
  readonly eachRun?: true | 'holds';
}

interface Learnable extends Row {
  /**
   * How a run learns it: from the endpoint's description (`discovery`), from the first response to a request that is
   * sent anyway (`answer`), from the response to a write of this run (`own-write`), or by a separate request (`probe`).
   */
  readonly learnt: 'discovery' | 'answer' | 'own-write' | 'probe';
  /** The test file that shows the behaviour if the assumption is wrong. */
  readonly test: string;
}

/** Never learnt by a run: `otherwise` says what follows, or what refuses the response. */
interface NotLearnable extends Row {
  readonly learnt: 'not learnt';
  readonly test?: string;
}
