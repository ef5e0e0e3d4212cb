/** As little as a server can be: the measure of how fast one starts. */
import { listenAsPeer } from './work/listen.ts';

listenAsPeer((_request, response) => void response.end());
