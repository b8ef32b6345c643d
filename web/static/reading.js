// The help page has its text in itself; only the bar above is made here.
import { frame } from "/static/frame.js";

frame();
