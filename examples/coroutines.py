"""Two jobs of one mill, awaited side by side; prints how many answers each has had."""

import asyncio
from pathlib import Path

from gridmill import Mill

FOLDER = Path(__file__).parent


async def count(mill: Mill, name: str) -> str:
    answers = 0
    async for _ in mill.submit(FOLDER / name):
        answers += 1
    return f"{name}: {answers} answers"


async def main() -> None:
    async with Mill.local(workers=2) as mill:
        for line in await asyncio.gather(count(mill, "puzzles.txt"), count(mill, "mixed.csv")):
            print(line)


if __name__ == "__main__":
    asyncio.run(main())
