/** The smallest possible server: measures how fast one can start. */
import { listenAsPeer } from './work/listen.ts';

listenAsPeer((_request, response) => void response.end());
