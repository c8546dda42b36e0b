/** Thrown instead of a reply to end the connection without one. */
export class CutConnection extends Error {
  constructor() {
    super('the connection is cut on purpose');
    this.name = 'CutConnection';
  }
}

/** Thrown if the client has closed the connection, so no response can be sent. */
export class ClientGone extends CutConnection {
  constructor() {
    super();
    this.message = 'the client has disconnected';
    this.name = 'ClientGone';
  }
}
