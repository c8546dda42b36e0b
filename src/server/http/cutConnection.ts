/** Thrown instead of a reply: the connection ends without one. */
export class CutConnection extends Error {
  constructor() {
    super('the connection is cut on purpose');
    this.name = 'CutConnection';
  }
}

/** The client has closed the connection, so there is no answer to send. */
export class ClientGone extends CutConnection {
  constructor() {
    super();
    this.message = 'the client has disconnected';
    this.name = 'ClientGone';
  }
}
