/** How a flow ends that does not go as its sentence says. */
export class FlowFailure extends Error {
  override name = 'FlowFailure';
}
