/** One thing that Gantry takes for granted of a platform. */
export type Assumption = Learnable | NotLearnable;

interface Row {
  /** A sentence that says what is assumed. */
  readonly assumed: string;
  /** The section of the specification that leaves it open. */
  readonly section: string;
  /**
   * Why it is assumed: `observed` of an installation, `documented` of this service elsewhere, or `proposed`, which is
   * only what is likely.
   */
  readonly evidence: 'observed' | 'documented' | 'proposed';
  /** A sentence that says what Gantry does where it is not so. */
  readonly otherwise: string;
  /** A platform that does otherwise cannot be used at all. */
  readonly needed?: true;
  /**
   * Each run finds out anew, whatever a file says: a finding that is out of date could cause a wrong change. `holds`: only
   * that it holds is found out anew; that it is otherwise makes runs more careful, and is kept.
   */
  readonly eachRun?: true | 'holds';
}

interface Learnable extends Row {
  /**
   * How a run finds out: what the endpoint says of itself (`discovery`), the first answer to a request that is sent
   * anyway (`answer`), the answer to a write of this run (`own-write`), or a request for that purpose (`probe`).
   */
  readonly learnt: 'discovery' | 'answer' | 'own-write' | 'probe';
  /** The file of the test that shows what happens otherwise. */
  readonly test: string;
}

/** No run finds out: `otherwise` says what follows, or what refuses the answer. */
interface NotLearnable extends Row {
  readonly learnt: 'not learnt';
  readonly test?: string;
}
