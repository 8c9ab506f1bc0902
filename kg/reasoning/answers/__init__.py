"""Questions about a line, a statement or the corpus: a module, and a public function, for each.

verdict          which side, how surely, on which reasons; said in `verdict_text`
case             the strongest case of one camp, and the best answers to it
crux             the claims on which the answer hangs most, and studies that would settle it
flips            which losses of evidence or sources would turn it
independence     on how many independent sources it rests
robustness       what it withstands: losses, studies, other settings and rules
positions        what can be held together, if objections alone count (Dung)
gaps, circles    where the corpus is thin; where it leans on itself
tensions         where it pulls two ways
whatif, impact   what moves in the corpus if something is supposed; if something falls
"""
