/** Thrown in place of a reply: the connection ends without one. */
export class CutConnection extends Error {
  constructor() {
    super('the connection is cut on purpose');
    this.name = 'CutConnection';
  }
}
